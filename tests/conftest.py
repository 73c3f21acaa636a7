"""Settings of all tests."""

from hypothesis import HealthCheck, settings

# No deadline: machines are noisy, and a slow example is no failure.
settings.register_profile("default", max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("default")

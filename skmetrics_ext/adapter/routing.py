"""A request for metadata, where versions of scikit-learn differ."""

from sklearn.utils.metadata_routing import MetadataRequest


def with_auto_requests(request: MetadataRequest, *methods: str) -> MetadataRequest:
    """With sample weights, unless declined, as by the policy "auto" of later scikit-learn."""
    for method in methods:
        asked = getattr(request, method)
        is_open = asked.requests.get("sample_weight", False) is None
        if is_open and hasattr(asked, "add_auto_request"):
            asked.add_auto_request("sample_weight")
    return request

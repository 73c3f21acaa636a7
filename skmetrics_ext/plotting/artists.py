"""The types of matplotlib's artists for annotations, which do not need matplotlib at run time."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes as Axes
    from matplotlib.collections import LineCollection as LineCollection
    from matplotlib.collections import PolyCollection as PolyCollection
    from matplotlib.colors import Colormap as Colormap
    from matplotlib.figure import Figure as Figure
    from matplotlib.image import AxesImage as AxesImage
    from matplotlib.lines import Line2D as Line2D
    from matplotlib.text import Text as Text
else:
    Axes = AxesImage = Colormap = Figure = Line2D = LineCollection = PolyCollection = Text = Any

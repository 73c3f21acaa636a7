"""What the code of a page needs of the code above it, which the first line of a block says."""

import ast
import builtins
import symtable

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
# The start of such a line.
GOES_ON = "# Goes on from the"


def first_lines(blocks):
    """The first line of each block of a page; None for one that runs alone."""
    lines, needed_by, bound_in = [], [], {}
    for place, code in enumerate(blocks):
        needs, binds = names_of(code)
        needed = {bound_in[name] for name in needs if name in bound_in}
        needed |= {earlier for one in needed for earlier in needed_by[one]}
        needed_by.append(needed)
        bound_in |= dict.fromkeys(binds, place)
        lines.append(line_of(sorted(needed), place))
    return lines


def line_of(needed, place):
    """In words: these blocks come before the one at this place."""
    if not needed:
        return None
    if len(needed) == place:
        return f"{GOES_ON} {'block' if place == 1 else 'blocks'} above."
    said = " and ".join(ORDINALS[one] for one in needed)
    return f"{GOES_ON} {said} {'block' if len(needed) == 1 else 'blocks'}."


def names_of(code):
    """The names that a block takes from outside, and those that it binds."""
    needs, binds = set(), set()
    for statement in ast.parse(code).body:
        table = symtable.symtable(ast.unparse(statement), "block", "exec")
        bound = {one.get_name() for one in table.get_symbols() if is_bound(one)}
        used = {one.get_name() for one in table.get_symbols() if one.is_referenced()}
        used |= {name for inner in table.get_children() for name in globals_of(inner)}
        # Newer versions of Python count these as names of the statement.
        of_comprehensions = targets_of_comprehensions(statement)
        bound, used = bound - of_comprehensions, used - of_comprehensions
        # In `X = f(X)` the second X is one from before; in a loop the name is bound first.
        own = set() if isinstance(statement, ast.Assign | ast.AugAssign) else bound
        needs |= used - own - binds - set(dir(builtins))
        binds |= bound
    return needs, binds


def targets_of_comprehensions(statement):
    """The names that comprehensions bind for themselves."""
    targets = [one.target for one in ast.walk(statement) if isinstance(one, ast.comprehension)]
    return {one.id for each in targets for one in ast.walk(each) if isinstance(one, ast.Name)}


def is_bound(symbol):
    """Whether a statement gives a name its value."""
    return symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace()


def globals_of(table):
    """The names that a function or a comprehension takes from outside."""
    return {one.get_name() for one in table.get_symbols() if one.is_global()} | {
        name for inner in table.get_children() for name in globals_of(inner)
    }

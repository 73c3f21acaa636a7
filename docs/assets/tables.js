// The theme lets a wide table scroll. Without this it could not be scrolled by the keyboard.
function makeReachable() {
  for (const table of document.querySelectorAll(".md-typeset__scrollwrap:not([tabindex])")) {
    table.tabIndex = 0;
  }
}

new MutationObserver(makeReachable).observe(document.body, { childList: true, subtree: true });
makeReachable();

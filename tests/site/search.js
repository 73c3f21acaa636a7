// Asks the search of the site without a browser: node search.js WORKER QUESTIONS INDEX, with the
// searches as a list of JSON on the standard input. Prints the pages that each finds.
const fs = require("fs");
const [worker, questions, index] = process.argv.slice(2).map((path) => fs.readFileSync(path, "utf8"));
const searches = JSON.parse(fs.readFileSync(0, "utf8"));
const data = JSON.parse(index);
const { items } = data;
const found = {};
let next = 0;
globalThis.Worker = class {
  postMessage(message) {
    self.onmessage({ data: message });
  }
};
const asked = () => new Worker().postMessage({ type: 2, data: { input: searches[next] } });
globalThis.self = {
  postMessage(message) {
    if (message.type === 4) throw new Error("the search failed");
    if (message.type === 3) {
      found[searches[next++]] = message.data.items.map((item) => items[item.id].location);
    }
    if (next < searches.length) asked();
    else console.log(JSON.stringify(found));
  },
};
eval(worker);
eval(questions);
new Worker().postMessage({ type: 0, data });

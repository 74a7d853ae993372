// Runs before a page's own scripts, for browsers whose policies leave out WebRTC and hints to connect (decision 0049):
// no element that hints or frames can be made. It calls nothing that a page could replace.
(() => {
const {apply} = Reflect, set = Object.defineProperty, names = ["link", "LINK", "meta", "META", "iframe", "IFRAME"];
const fixed = (of, name, value) => set(of, name, {value, writable: false, configurable: false});
const none = function () { throw new TypeError("Illegal constructor"); };
for (const name of Object.getOwnPropertyNames(window))
  if (/^(?:webkit|moz)?RTC|^XSLTProcessor$|^HTML(?:Link|Meta|IFrame)Element$/.test(name)) fixed(window, name, none);
if (!window.trustedTypes) {
  document.write("<plaintext hidden>");
  return;
}
const listed = (text, from, to) => {
  for (let which = 0; which < 6; which += 2) {
    let at = 0;
    if (to - from === names[which].length)
      while (at < to - from && (text[from + at] === names[which][at] || text[from + at] === names[which + 1][at])) at++;
    if (at && at === to - from) return which < 4 ? "bgsound" : "x-frame";
  }
  return "";
};
const named = (name) => name === null || name === undefined ? name : clean("<" + name + ">", 1);
const clean = (given, bare) => {
  const text = "" + given;
  let made = "", done = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== "<") continue;
    let from = at + (text[at + 1] === "/" ? 2 : 1), to = from;
    for (let c = text[to]; to < text.length && c > " " && c !== "/" && c !== ">" && c !== "<"; c = text[++to])
      if (c === ":") from = to + 1;
    const other = listed(text, from, to);
    if (other) {
      made += slice(text, done, at + (text[at + 1] === "/" ? 2 : 1)) + other;
      done = to;
    }
  }
  made += slice(text, done, text.length);
  return bare ? slice(made, 1, made.length - 1) : made;
};
const slice = (text, from, to) => apply(sliced, text, [from, to]), sliced = String.prototype.slice;
const patch = (of, name, at, make) => {
  const native = of[name];
  fixed(of, name, function (...given) {
    if (at < given.length) given[at] = make(given[at]);
    return apply(native, this, given);
  });
};
patch(Document.prototype, "createElement", 0, named);
patch(Document.prototype, "createElementNS", 1, named);
patch(DOMImplementation.prototype, "createDocument", 1, named);
patch(Document.prototype, "execCommand", 2, clean);
let held = "";  // the beginning of a tag, which a next call may end
for (const [name, end] of [["write", ""], ["writeln", "\n"]]) {
  const native = Document.prototype[name];
  fixed(Document.prototype, name, function (...given) {
    let text = held;
    for (let at = 0; at < given.length; at++) text += given[at];
    text = clean(text + end);
    let tail = text.length;
    for (let at = tail - 1; at >= 0 && text[at] > " " && text[at] !== ">"; at--) if (text[at] === "<") tail = at;
    held = slice(text, tail, text.length);
    return apply(native, this, [slice(text, 0, tail)]);
  });
}
const parse = DOMParser.prototype.parseFromString, find = Document.prototype.getElementsByTagNameNS;
const remove = Element.prototype.remove;
fixed(DOMParser.prototype, "parseFromString", function (text, type) {
  const made = apply(parse, this, [clean(text), type]);
  for (let which = 0; which < 6; which += 2)
    for (let found; (found = apply(find, made, ["*", names[which]])[0]);) apply(remove, found, []);
  return made;
});
for (const of of [Element.prototype, ShadowRoot.prototype, Document, Document.prototype])
  for (const name of Object.getOwnPropertyNames(of))
    if (/HTML/.test(name) && !/^(?:(?:inner|outer|insertAdjacent|get)HTML|(?:set|parse)HTMLUnsafe)$/.test(name))
      fixed(of, name, undefined);
trustedTypes.createPolicy("default", {
  createHTML: (text) => clean(text), createScript: (text) => text, createScriptURL: (text) => text,
});
fixed(window, "trustedTypes", undefined);
for (const name of ["localStorage", "sessionStorage"]) {
  const kept = new Map();
  fixed(window, name, {
    getItem: (key) => kept.get("" + key) ?? null, setItem: (key, value) => void kept.set("" + key, "" + value),
    removeItem: (key) => void kept.delete("" + key), clear: () => kept.clear(),
    key: (at) => [...kept.keys()][at] ?? null, get length() { return kept.size; },
  });
}
document.currentScript.remove();
})();

// Runs a chat widget, unmodified, in the little of a browser's DOM that it uses: node widget.cjs FILE ORIGIN STEPS
//
// STEPS is JSON: [{endpoint, question, rating}]. For each, a line of JSON: what the widget shows of the answer, and whether
// its feedback went through. Where a rating opens a form, a good one is sent with a comment and a bad one without. Requests go as a browser sends them from a page of ORIGIN: a preflight first, and what the
// server does not allow that origin to read fails.
'use strict';
const fs = require('node:fs');
const vm = require('node:vm');
const [, , file, origin, steps] = process.argv;

const escape = (s) => String(s).replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

class Shadow {
  constructor() {
    this.innerHTML = '';
    this.handlers = {};
    this.elements = { textarea: { value: '' }, '.messages': { innerHTML: '', scrollTop: 0, scrollHeight: 0 } };
  }
  addEventListener(name, handler) { this.handlers[name] = handler; }
  querySelector(selector) {
    if (selector.startsWith('[data-')) return (this.elements[selector] ||= { innerHTML: '', value: 'clear', querySelector: () => null });
    return this.elements[selector] || null;
  }
}

class HTMLElement {
  constructor() { this.attributes = {}; }
  attachShadow() { return (this.shadowRoot = new Shadow()); }
  getAttribute(name) { return name in this.attributes ? this.attributes[name] : null; }
}

async function crossOrigin(url, options) {
  const allowed = (response) => response.headers.get('access-control-allow-origin') === origin;
  const preflight = await fetch(url, {
    method: 'OPTIONS',
    headers: { Origin: origin, 'Access-Control-Request-Method': options.method, 'Access-Control-Request-Headers': 'content-type' },
  });
  const headers = (preflight.headers.get('access-control-allow-headers') || '').toLowerCase();
  if (!preflight.ok || !allowed(preflight) || !headers.includes('content-type')) throw new TypeError('Failed to fetch');
  const response = await fetch(url, { ...options, headers: { ...options.headers, Origin: origin } });
  if (!allowed(response)) throw new TypeError('Failed to fetch');
  return response;
}

const defined = {};
const browser = {
  HTMLElement,
  customElements: { define: (name, element) => { defined[name] = element; } },
  document: { createElement: () => ({ set textContent(s) { this.innerHTML = escape(s); } }) },
  fetch: crossOrigin,
  setTimeout: (f) => f(),
  console: { log() {}, error() {} },
};
vm.runInNewContext(fs.readFileSync(file, 'utf8'), browser, { filename: file });

async function settled(widget, done) {
  for (let i = 0; i < 1000 && !done(); i++) await new Promise((resolve) => setTimeout(resolve, 10));
}

(async () => {
  for (const step of JSON.parse(steps)) {
    const widget = new (Object.values(defined)[0])();
    widget.attributes.endpoint = step.endpoint;
    widget.connectedCallback();
    const shadow = widget.shadowRoot;
    shadow.elements.textarea.value = step.question;
    shadow.handlers.submit({ target: { matches: (s) => s === 'form.composer' }, preventDefault() {} });
    await settled(widget, () => !widget.state.isLoading && widget.state.messages.length > 1);
    let last = widget.state.messages.at(-1);
    let comment = '';
    if (step.rating && last.role === 'assistant') {
      const button = { disabled: false, dataset: { msgId: last.id, rating: step.rating } };
      shadow.handlers.click({ target: { closest: (s) => (s === '.feedback-btn' ? button : null) } });
      if (shadow.querySelector(`[data-feedback-for="${last.id}"]`).innerHTML !== '') { // a form, with a field for a comment
        comment = step.rating === 'positive' ? shadow.querySelector(`[data-comment-for="${last.id}"]`).value : '';
        const [name, key] = comment ? ['[data-send-feedback]', 'sendFeedback'] : ['[data-skip-feedback]', 'skipFeedback'];
        const sent = { dataset: { [key]: last.id, rating: step.rating } };
        shadow.handlers.click({ target: { closest: (s) => (s === name ? sent : null) } });
      }
      await settled(widget, () => widget.state.messages.at(-1).feedbackSent);
      last = widget.state.messages.at(-1);
    }
    process.stdout.write(JSON.stringify({
      role: last.role, text: last.content, sources: last.metadata?.sources ?? [], confidence: last.metadata?.confidence ?? 0,
      rated: last.feedbackRating ?? '', comment, html: shadow.elements['.messages'].innerHTML,
    }) + '\n');
  }
})();

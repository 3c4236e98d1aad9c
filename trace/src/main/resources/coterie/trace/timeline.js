const ROW = 20, BAR = 15, AXIS = 26, GUTTER = 170, GAP = 8;
const MOST_ARROWS = 300; // drawn at once, those of the longest waits: more are a grey cloud
const pane = byId('timeline'), axis = byId('axis'), rows = byId('rows'), tip = byId('tip');
const [PE, LANE, BEGIN, NANOS, KIND, TEXT, SITE, OPEN] = [0, 1, 2, 3, 4, 5, 6, 7];
const hidden = new Set();
const first = data.events.reduce((least, event) => Math.min(least, event[BEGIN]), job.tracedNanos);
const last = Math.max(job.tracedNanos, first + 1);
let from = first, to = last;

// The rows: the lanes in which something was recorded, by PE.
const used = new Map();
for (const event of data.events) {
  const key = event[PE] + ':' + event[LANE];
  if (!used.has(key)) used.set(key, []);
  used.get(key).push(event);
}
const lanes = [];
let height = 0, previous = -1;
for (const [pe, number, name] of data.lanes) {
  const events = used.get(pe + ':' + number);
  if (!events) continue;
  height += pe === previous ? 0 : GAP;
  previous = pe;
  let longest = 0;
  for (const event of events) longest = Math.max(longest, event[NANOS]);
  lanes.push({pe, name, events, y: height, longest});
  for (const event of events) event.y = height;
  height += ROW;
}
height += GAP;
document.body.dataset.lanes = lanes.length;

const width = () => pane.clientWidth;
const x = nanos => GUTTER + (nanos - from) / (to - from) * (width() - GUTTER);
const nanosAt = pixel => from + (pixel - GUTTER) / (width() - GUTTER) * (to - from);

let colours = [];
function readColours() {
  const style = getComputedStyle(document.documentElement);
  colours = data.kinds.map((_, kind) => style.getPropertyValue('--k' + kind).trim());
  for (const name of ['ink', 'soft', 'line', 'stripe', 'panel', 'arrow', 'bad']) {
    colours[name] = style.getPropertyValue('--' + name).trim();
  }
}

function prepare(canvas, tall) {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width() * ratio);
  canvas.height = Math.round(tall * ratio);
  canvas.style.width = width() + 'px';
  canvas.style.height = tall + 'px';
  const context = canvas.getContext('2d');
  context.scale(ratio, ratio);
  context.font = '12px system-ui, sans-serif';
  context.textBaseline = 'middle';
  return context;
}

// A round step so that labels are at least 90 pixels apart.
function step() {
  const least = (to - from) * 90 / Math.max(1, width() - GUTTER);
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return power * [1, 2, 5, 10].find(factor => factor * power >= least);
}

function drawAxis(context, lines) {
  context.fillStyle = colours.soft;
  context.textAlign = 'center';
  const apart = step();
  for (let at = Math.ceil(from / apart) * apart; at <= to; at += apart) {
    context.fillText(time(Math.round(at)), x(at), AXIS / 2);
    lines.push(x(at));
  }
}

// The number of the first event of a lane that could reach into the picture.
function firstShown(lane) {
  let low = 0, high = lane.events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lane.events[middle][BEGIN] < from - lane.longest) low = middle + 1; else high = middle;
  }
  return low;
}

function drawLane(context, lane) {
  const top = lane.y + (ROW - BAR) / 2;
  let drawnTo = -1, drawnKind = -1;
  for (let i = firstShown(lane); i < lane.events.length; i++) {
    const event = lane.events[i];
    if (event[BEGIN] > to) break;
    if (event[BEGIN] + event[NANOS] < from || hidden.has(event[KIND])) continue;
    const left = Math.max(GUTTER, x(event[BEGIN])), right = Math.max(left + 1, x(event[BEGIN] + event[NANOS]));
    if (right <= drawnTo && event[KIND] === drawnKind && right - left <= 1) continue;
    drawnTo = right;
    drawnKind = event[KIND];
    context.fillStyle = colours[event[KIND]];
    context.fillRect(left, top, right - left, BAR);
    if (event[OPEN]) {
      context.strokeStyle = colours.bad;
      context.lineWidth = 2;
      context.strokeRect(left + 1, top + 1, Math.max(1, right - left - 2), BAR - 2);
    }
    if (right - left > 60) {
      context.save();
      context.beginPath();
      context.rect(left, top, right - left - 4, BAR);
      context.clip();
      context.fillStyle = '#fff';
      context.textAlign = 'left';
      context.fillText(data.texts[event[TEXT]], left + 5, top + BAR / 2 + 1);
      context.restore();
    }
  }
}

function drawArrows(context) {
  let drawn = 0;
  context.strokeStyle = context.fillStyle = colours.arrow;
  context.lineWidth = 1;
  for (const [source, target] of data.arrows) {
    const a = data.events[source], b = data.events[target];
    const end = b[BEGIN] + b[NANOS];
    if (end < from || a[BEGIN] > to || hidden.has(a[KIND]) || hidden.has(b[KIND])) continue;
    const x1 = x(a[BEGIN]), x2 = x(end), y1 = a.y + ROW / 2, y2 = b.y + ROW / 2;
    if (x1 < GUTTER || x2 < GUTTER) continue;
    if (drawn++ === MOST_ARROWS) break;
    context.beginPath();
    context.moveTo(x1, y1);
    context.bezierCurveTo(x1 + 14, y1, x2 - 14, y2, x2, y2);
    context.stroke();
    context.beginPath();
    context.moveTo(x2, y2);
    context.lineTo(x2 - 6, y2 - 3);
    context.lineTo(x2 - 6, y2 + 3);
    context.fill();
  }
}

function drawGutter(context) {
  context.fillStyle = colours.panel;
  context.fillRect(0, 0, GUTTER, height);
  context.textAlign = 'left';
  let pe = -1;
  for (const lane of lanes) {
    const middle = lane.y + ROW / 2;
    if (lane.pe !== pe) {
      context.fillStyle = colours.line;
      context.fillRect(0, lane.y - GAP / 2, width(), 1);
      context.fillStyle = colours.ink;
      context.font = '600 12px system-ui, sans-serif';
      context.fillText('PE ' + lane.pe, 10, middle);
      context.font = '12px system-ui, sans-serif';
      pe = lane.pe;
    }
    context.fillStyle = colours.soft;
    context.fillText(lane.name.length > 17 ? lane.name.slice(0, 16) + '…' : lane.name, 62, middle);
  }
}

function draw() {
  readColours();
  const lines = [];
  drawAxis(prepare(axis, AXIS), lines);
  const context = prepare(rows, height);
  context.fillStyle = colours.stripe;
  for (let index = 1; index < lanes.length; index += 2) context.fillRect(GUTTER, lanes[index].y, width(), ROW);
  context.fillStyle = colours.line;
  for (const line of lines) context.fillRect(Math.round(line), 0, 0.5, height);
  for (const lane of lanes) drawLane(context, lane);
  if (byId('arrows').checked) drawArrows(context);
  if (data.diagnosedAt >= 0) {
    context.fillStyle = colours.bad;
    context.fillRect(x(data.diagnosedAt), 0, 1.5, height);
  }
  drawGutter(context);
}

let isAsked = false;
function redraw() {
  if (!isAsked) {
    isAsked = true;
    requestAnimationFrame(() => { isAsked = false; draw(); });
  }
}

function show(begin, end) {
  const most = last - first;
  const length = Math.min(most, Math.max(100, end - begin));
  from = Math.min(Math.max(begin, first), last - length);
  to = from + length;
  redraw();
}

function zoom(factor, pixel) {
  const at = pixel === undefined ? (from + to) / 2 : Math.max(from, nanosAt(pixel));
  show(at - (at - from) * factor, at + (to - at) * factor);
}

const move = share => show(from + share * (to - from), to + share * (to - from));

function eventAt(px, py) {
  const lane = lanes.find(each => py >= each.y && py < each.y + ROW);
  if (!lane || px < GUTTER) return null;
  let found = null;
  for (let i = firstShown(lane); i < lane.events.length; i++) {
    const event = lane.events[i];
    const left = x(event[BEGIN]);
    if (left > px + 2) break;
    if (!hidden.has(event[KIND]) && px <= Math.max(left + 3, x(event[BEGIN] + event[NANOS]))) found = event;
  }
  return found;
}

function showTip(mouse) {
  const box = rows.getBoundingClientRect();
  const event = eventAt(mouse.clientX - box.left, mouse.clientY - box.top);
  tip.hidden = !event;
  if (!event) return;
  tip.replaceChildren();
  element(tip, 'b', data.texts[event[TEXT]]);
  element(tip, 'div', time(event[NANOS]) + (event[OPEN] ? ', not ended' : '') + ', from ' + time(event[BEGIN]) + ' on');
  element(tip, 'span', data.texts[event[SITE]] || data.kinds[event[KIND]]);
  tip.style.left = Math.min(mouse.clientX + 14, window.innerWidth - tip.offsetWidth - 8) + 'px';
  tip.style.top = Math.min(mouse.clientY + 14, window.innerHeight - tip.offsetHeight - 8) + 'px';
}

function showLegend() {
  const present = new Set(data.events.map(event => event[KIND]));
  for (const kind of [...present].sort((a, b) => a - b)) {
    const button = element(byId('legend'), 'button');
    button.type = 'button';
    button.setAttribute('aria-pressed', 'true');
    element(button, 'i').style.background = 'var(--k' + kind + ')';
    element(button, 'span', data.kinds[kind]);
    button.addEventListener('click', () => {
      const isShown = !hidden.delete(kind);
      if (isShown) hidden.add(kind);
      button.setAttribute('aria-pressed', String(!isShown));
      redraw();
    });
  }
}

const KEYS = {
  w: () => zoom(0.6), '+': () => zoom(0.6), '=': () => zoom(0.6), s: () => zoom(1.6), '-': () => zoom(1.6),
  a: () => move(-0.2), ArrowLeft: () => move(-0.2), d: () => move(0.2), ArrowRight: () => move(0.2),
  0: () => show(first, last)
};
pane.addEventListener('keydown', key => {
  if (KEYS[key.key] && !key.ctrlKey && !key.metaKey) {
    key.preventDefault();
    KEYS[key.key]();
  }
});
pane.addEventListener('wheel', wheel => {
  if (wheel.ctrlKey || wheel.metaKey) {
    wheel.preventDefault();
    zoom(wheel.deltaY > 0 ? 1.25 : 0.8, wheel.clientX - rows.getBoundingClientRect().left);
  } else if (wheel.shiftKey || Math.abs(wheel.deltaX) > Math.abs(wheel.deltaY)) {
    wheel.preventDefault();
    move((wheel.deltaX || wheel.deltaY) / width());
  }
}, {passive: false});
let drag = null;
pane.addEventListener('pointerdown', pointer => {
  if (pointer.button === 0) drag = {at: pointer.clientX, from, to};
});
window.addEventListener('pointerup', () => { drag = null; });
pane.addEventListener('pointermove', pointer => {
  if (drag) {
    const moved = (pointer.clientX - drag.at) / (width() - GUTTER) * (drag.to - drag.from);
    show(drag.from - moved, drag.to - moved);
    tip.hidden = true;
  } else {
    showTip(pointer);
  }
});
pane.addEventListener('pointerleave', () => { tip.hidden = true; });
pane.addEventListener('dblclick', mouse => zoom(0.4, mouse.clientX - rows.getBoundingClientRect().left));
byId('zoom-in').addEventListener('click', () => zoom(0.6));
byId('zoom-out').addEventListener('click', () => zoom(1.6));
byId('zoom-all').addEventListener('click', () => show(first, last));
byId('arrows').addEventListener('change', redraw);
window.addEventListener('resize', redraw);
window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
showLegend();
draw();

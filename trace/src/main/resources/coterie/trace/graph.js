// The deadlock: a column for each PE, a box for each operation that is stuck, an arrow to each one it waits for.
const BOX = 250, TALL = 56, APART = 110, BELOW = 26, TOP = 34;
const XML = 'http://www.w3.org/2000/svg';
const MOST_BOXES = 120;

function shape(parent, tag, attributes, text) {
  const made = document.createElementNS(XML, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  parent.append(made);
  return made;
}

const shorten = (text, most) => text.length > most ? text.slice(0, most - 1) + '…' : text;

function marker(defs, id, className) {
  const arrow = shape(defs, 'marker', {id, viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7,
    orient: 'auto-start-reverse', markerUnits: 'userSpaceOnUse'});
  shape(arrow, 'path', {d: 'M0 0 L8 4 L0 8', class: className});
}

function places(stuck) {
  const columns = [...new Set(stuck.map(operation => operation.pe))].sort((a, b) => a - b);
  const filled = columns.map(() => 0);
  const found = new Map();
  for (const operation of stuck) {
    const column = columns.indexOf(operation.pe);
    found.set(operation.operation,
      {x: 20 + column * (BOX + APART), y: TOP + filled[column]++ * (TALL + BELOW), column});
  }
  return {columns, found, wide: 40 + columns.length * (BOX + APART),
    tall: TOP + Math.max(...filled) * (TALL + BELOW) + 6};
}

function edge(svg, from, to, isCycle, text) {
  let path;
  if (from.column === to.column) {
    const right = from.x + BOX, y1 = from.y + TALL / 2, y2 = to.y + TALL / 2;
    const out = right + 22 + Math.abs(y2 - y1) / 8;
    path = `M${right} ${y1 - 6} C${out} ${y1} ${out} ${y2} ${right} ${y2 + 6}`;
  } else {
    const isRight = to.x > from.x, bend = isRight ? 48 : -48, shift = isRight ? -8 : 8;
    const x1 = isRight ? from.x + BOX : from.x, x2 = isRight ? to.x : to.x + BOX;
    const y1 = from.y + TALL / 2 + shift, y2 = to.y + TALL / 2 + shift;
    path = `M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
  }
  const drawn = shape(svg, 'path', {d: path, 'marker-end': isCycle ? 'url(#cycle-arrow)' : 'url(#arrow)',
    class: isCycle ? 'edge cycle' : 'edge'});
  shape(drawn, 'title', {}, text);
}

function drawGraph(diagnosis) {
  const stuck = diagnosis.stuck.slice(0, MOST_BOXES);
  if (!stuck.length) return;
  const {columns, found, wide, tall} = places(stuck);
  const svg = shape(byId('graph'), 'svg', {width: wide, height: tall, viewBox: `0 0 ${wide} ${tall}`, role: 'img'});
  const defs = shape(svg, 'defs', {});
  marker(defs, 'arrow', '');
  marker(defs, 'cycle-arrow', 'cycle');
  columns.forEach((pe, column) => {
    const left = 8 + column * (BOX + APART);
    shape(svg, 'rect', {x: left, y: 2, width: BOX + 24, height: tall - 4, rx: 8, class: 'pe'});
    shape(svg, 'text', {x: left + 12, y: 22, 'font-weight': 600}, 'PE ' + pe);
  });
  const links = new Set(diagnosis.cycle.map(link => link.operation + ' ' + link.blocker.operation));
  const inCycle = new Set(diagnosis.cycle.map(link => link.operation));
  for (const operation of stuck) {
    const place = found.get(operation.operation);
    const group = shape(svg, 'g', {class: 'node'});
    shape(group, 'rect', {x: place.x, y: place.y, width: BOX, height: TALL, rx: 6,
      class: inCycle.has(operation.operation) ? 'cycle' : ''});
    shape(group, 'text', {x: place.x + 10, y: place.y + 17, 'font-weight': 600}, operation.operation);
    shape(group, 'text', {x: place.x + 10, y: place.y + 33}, shorten(operation.label, 40));
    const waited = operation.waitedNanos > 0 ? 'for ' + time(operation.waitedNanos) : '';
    shape(group, 'text', {x: place.x + 10, y: place.y + 48, class: 'soft'},
      [shorten(operation.site, 28), waited].filter(text => text).join(', '));
    shape(group, 'title', {}, operation.blockers.map(blocker => blocker.text).join('\n'));
  }
  for (const operation of stuck) {
    for (const blocker of operation.blockers) {
      const to = found.get(blocker.operation);
      if (to && blocker.operation !== operation.operation) {
        edge(svg, found.get(operation.operation), to, links.has(operation.operation + ' ' + blocker.operation),
          operation.operation + ' ' + blocker.text);
      }
    }
  }
}

if (data.diagnosis.verdict) {
  byId('deadlock').hidden = false;
  drawGraph(data.diagnosis);
  for (const link of data.diagnosis.cycle) {
    element(byId('cycle'), 'li', link.operation + ', ' + link.label + ', ' + link.blocker.text);
  }
  for (const suggestion of data.diagnosis.suggestions) element(byId('suggestions'), 'li', 'try: ' + suggestion);
  byId('diagnosis').textContent = data.diagnosisText;
}

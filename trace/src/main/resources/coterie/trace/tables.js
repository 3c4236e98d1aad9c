const data = JSON.parse(document.getElementById('data').textContent);
const job = data.job;
const byId = id => document.getElementById(id);
const MOST_COLUMNS = 64; // of a matrix: more do not fit a screen

function element(parent, tag, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  parent.append(made);
  return made;
}

function time(nanos) {
  if (nanos < 1e3) return nanos + ' ns';
  if (nanos < 1e6) return (nanos / 1e3).toPrecision(4) + ' µs';
  if (nanos < 1e9) return (nanos / 1e6).toPrecision(4) + ' ms';
  return (nanos / 1e9).toPrecision(4) + ' s';
}

function size(bytes) {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  while (bytes >= 1024 && unit < units.length - 1) {
    bytes /= 1024;
    unit++;
  }
  return (unit ? bytes.toPrecision(3) : bytes) + ' ' + units[unit];
}

const micros = nanos => (nanos / 1e3).toFixed(3);
const sum = list => list.reduce((total, value) => total + value, 0);

function showHeader() {
  document.title = job.name + ' – Coterie trace';
  byId('title').textContent = job.name;
  const ending = byId('ending');
  const verdict = data.diagnosis.verdict ? data.diagnosis.verdict + '; ' : '';
  ending.textContent = verdict + job.ending;
  ending.classList.toggle('bad', job.exitCode !== 0 || verdict !== '');
  const facts = {
    PEs: job.pes + ' ' + job.mode,
    duration: time(job.nanos),
    'first join': new Date(job.wallMillis).toLocaleString(),
    operations: job.events.toLocaleString(),
    'between PEs': size(sum(data.bytes.map(sum))),
    'waited, all PEs': time(sum(data.waited.map(sum)))
  };
  for (const [name, value] of Object.entries(facts)) {
    const pair = element(byId('facts'), 'div');
    element(pair, 'dt', name);
    element(pair, 'dd', value);
  }
  byId('command').textContent = job.command;
  const notes = [];
  if (job.dropped > 0) {
    notes.push('Each PE keeps its ' + job.maxEvents + ' latest operations: ' + job.dropped
      + ' older ones are in no table and no picture.');
  }
  if (job.notDrawn > 0) {
    notes.push('The timeline leaves out the ' + job.notDrawn + ' shortest operations; the tables count them.');
  }
  byId('notes').textContent = notes.join(' ');
}

function row(table, cells, tag) {
  const line = element(table, 'tr');
  for (const [text, className] of cells) element(line, tag || 'td', text, className);
  return line;
}

function showMatrix(id, matrix, show) {
  const table = byId(id);
  table.replaceChildren();
  const shown = Math.min(matrix.length, MOST_COLUMNS);
  const numbers = [...Array(shown).keys()];
  const most = Math.max(1, ...matrix.slice(0, shown).flat());
  const head = numbers.map(pe => ['PE ' + pe]);
  if (shown < matrix.length) element(table, 'caption', 'the first ' + shown + ' of ' + matrix.length + ' PEs');
  row(element(table, 'thead'), [[''], ...head, ['sum']], 'th');
  const body = element(table, 'tbody');
  for (const pe of numbers) {
    const line = element(body, 'tr');
    element(line, 'th', 'PE ' + pe);
    for (const other of numbers) {
      const value = matrix[pe][other];
      const cell = element(line, 'td', show(value), value ? '' : 'zero');
      if (value) cell.style.background = 'rgba(var(--heat), ' + (0.06 + 0.5 * value / most).toFixed(3) + ')';
    }
    element(line, 'td', show(sum(matrix[pe])), 'sum');
  }
  const totals = numbers.map(pe => sum(matrix.map(each => each[pe])));
  row(body, [['sum', 'sum'], ...totals.map(total => [show(total), 'sum']), [show(sum(totals)), 'sum']]);
}

function showWaits() {
  const table = byId('waits');
  row(element(table, 'thead'), [['PE'], ['lane', 'text'], ['began µs'], ['waited µs'], ['operation', 'text'],
    ['line', 'text'], ['ended by PE'], ['with', 'text'], ['line', 'text']], 'th');
  const body = element(table, 'tbody');
  for (const wait of data.waits) {
    row(body, [[wait.pe], [wait.lane, 'text'], [micros(wait.begin)],
      [micros(wait.nanos)], [wait.operation, 'text'], [wait.site, 'code'], [wait.open ? 'not ended' : wait.byPe ?? '',
        wait.open ? 'open' : ''], [wait.by ?? '', 'text'], [wait.bySite ?? '', 'code']]);
  }
}

function showOperations() {
  const table = byId('operations');
  row(element(table, 'thead'), [['kind', 'text'], ['operation', 'text'], ['count'], ['bytes'], ['total µs'],
    ['median µs'], ['longest µs']], 'th');
  const body = element(table, 'tbody');
  for (const [kind, label, count, bytes, total, median, longest] of data.operations) {
    row(body, [[data.kinds[kind], 'text'], [label, 'text'], [count], [bytes], [micros(total)], [micros(median)],
      [micros(longest)]]);
  }
}

showHeader();
showMatrix('traffic', data.bytes, value => value);
showMatrix('waited', data.waited, value => (value / 1e6).toFixed(3));
for (const choice of document.getElementsByName('traffic')) {
  choice.addEventListener('change', () => showMatrix('traffic', data[choice.value], value => value));
}
showWaits();
showOperations();

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ExcelJS from 'exceljs'
import { until } from './browser'
import { type Desk, expect, isMissing, test } from './desk'
import { counted, word } from './words'

const STAFF = 'staff@demo.test'
const ADMIN = 'admin@demo.test'
const MANAGER = 'manager@demo.test'
/** A day that is over: the demo goes on receiving leads, but none of this day or before. */
const yesterday = new Date(Date.now() - 36 * 3_600_000).toISOString().slice(0, 10)
const rows = { role: 'option' }
const region = { role: 'region', name: word('lead/region') }

test.skip(({ engine }) => isMissing(engine), 'the browser is not installed')

test('somebody signs in by typing, and reads leads', async ({ desk }) => {
  await desk.signIn(STAFF)
  await desk.arriveAt(/^\/today/)
  await desk.open('/declarations')
  await desk.see({ role: 'heading', name: word('inbox/declarations-of-interest.title') })
  await until('a screen full of rows', async () => (await desk.all(rows)).length > 9)
  await expectToFit(desk)
})

test('search finds Åsa for "asa oberg", and marks her', async ({ desk }) => {
  await desk.signIn(STAFF)
  await desk.open('/declarations')
  const sought = async () => (await desk.see({ role: 'searchbox' })).value
  await until('the search field has the focus', async () => {
    if (await desk.run(() => document.activeElement instanceof HTMLInputElement)) return true
    await desk.key('/')
    return false
  })
  await desk.write('asa oberg')
  await until('the field has what was typed', async () => (await sought()) === 'asa oberg')
  await until('Åsa Öberg is first, and marked', async () => {
    const marks = await desk.run(() =>
      [...(document.querySelector('[role=option]')?.querySelectorAll('mark') ?? [])].map((mark) => mark.textContent),
    )
    return /^Åsa,? ?Öberg/.test(marks.join(' ')) && (await desk.see(rows)).text.includes('Åsa Öberg')
  })
  expect(await desk.arriveAt(/declarations/)).not.toContain('oberg')
  await desk.reload()
  await until('a reload finds it again', async () => (await sought()) === 'asa oberg')
  await desk.open('/declarations')
  expect(await sought(), 'a page opened anew begins without').toBe('')
})

test('a lead is opened, decided upon, and the decision taken back by key and by button', async ({ desk, engine }) => {
  await desk.signIn(STAFF)
  // Both browsers are at the same demo, at the same time: each has leads of its own.
  const list = `/questions?status=new&sort=createdAt&mode=${engine === 'firefox' ? 'phone' : 'email'}`
  for (const undo of ['key', 'button'] as const) {
    await desk.open(list)
    await desk.press(rows)
    const id = await openLead(desk)
    await desk.see(region)
    expect(await statusOf(desk, id)).toBe('new')
    await desk.key('e')
    await until('it is handled', async () => (await statusOf(desk, id)) === 'handled')
    if (undo === 'key') await desk.key('z')
    else await desk.press({ role: 'button', name: word('inbox/triage.undo') })
    await until('it is new again', async () => (await statusOf(desk, id)) === 'new')
  }
})

test('the palette goes to the questions', async ({ desk }) => {
  await desk.signIn(STAFF)
  await desk.open('/declarations')
  await desk.key('Control+k')
  await desk.see({ role: 'combobox', name: word('palette/title') })
  await desk.write('frågor')
  const first = { role: 'option', within: { role: 'dialog', name: word('palette/title') } }
  await until('it is offered first', async () => {
    const { text, attributes } = await desk.see(first)
    return text.includes(word('inbox/asked-questions.title')) && attributes['aria-selected'] === 'true'
  })
  await desk.key('Enter')
  await desk.arriveAt(/^\/questions/)
  await desk.missing({ role: 'dialog' })
})

for (const format of ['xlsx', 'csv'] as const) {
  test(`what is exported arrives as a ${format} file with as many rows as promised`, async ({ desk, engine }) => {
    // Who exports is asked for what they chose last time, so the browsers are two people here.
    await desk.signIn(engine === 'firefox' ? STAFF : ADMIN)
    await desk.open(`/declarations?year=${new Date().getFullYear()}&to=${yesterday}`)
    await desk.press({ role: 'button', name: word('inbox/export') })
    const dialog = { role: 'dialog', name: /\d/ }
    const start = { role: 'button', name: counted('export/start'), within: dialog }
    await desk.see(start)
    const kind = { role: 'radio', name: word(`export/format.${format}`), within: dialog }
    await desk.press(kind)
    await until(`${format} is chosen`, async () => (await desk.see(kind)).isChecked)
    await desk.choose({ role: 'combobox', name: word('export/purpose.label'), within: dialog }, 'statistics')
    const confirmation = { role: 'checkbox', name: word('export/minors.confirm'), within: dialog }
    await desk.press(confirmation)
    await until('the confirmation', async () => (await desk.see(confirmation)).isChecked)
    const promised = Number((await desk.see(start)).text.replaceAll(/\D/g, ''))
    await desk.press(start)
    const name = await arrived(desk, new RegExp(`-${promised}\\.${format}$`))
    expect(await rowsIn(join(desk.downloads, name), format)).toBe(promised + 1)
    await desk.missing(dialog)
  })
}

test('the numbers per year are there, charts are drawn, and one is read with the keys', async ({ desk }) => {
  await desk.signIn(MANAGER)
  await desk.open('/interest')
  await desk.see({ role: 'heading', name: /\d{4}/ })
  const numbers = await desk.all({ role: 'cell', name: /^\d[\d ]*$/ })
  expect(numbers.length).toBeGreaterThan(9)
  const widths = await desk.run(() =>
    [...document.querySelectorAll('main section svg[data-picture]')].map((drawing) => drawing.clientWidth),
  )
  expect(widths.filter((width) => width > 200).length).toBeGreaterThan(2)

  const chart = { role: 'slider' }
  const { attributes } = await desk.see(chart)
  await desk.press(chart)
  await desk.key('ArrowLeft')
  await until('the point before', async () => {
    const value = (await desk.see(chart)).attributes['aria-valuetext']
    return value !== undefined && value !== attributes['aria-valuetext']
  })
})

test('menus, popovers and dialogs open where there is room, and close on Escape', async ({ desk }) => {
  await desk.signIn(STAFF)
  await desk.open('/declarations')
  for (const [trigger, box] of [
    [{ role: 'button', name: new RegExp(`^${word('inbox/sort.label')}`) }, { role: 'menu' }],
    [{ role: 'button', name: word('inbox/filter.school') }, { role: 'dialog' }],
  ] as const) {
    await desk.press(trigger)
    await desk.see(box)
    await expectToFit(desk)
    await desk.key('Escape')
    await desk.missing(box)
  }
  await desk.key('?')
  await desk.see({ role: 'dialog', name: word('palette/help') })
  await desk.key('Escape')
  await desk.missing({ role: 'dialog' })
})

test('on a phone the list fits, a lead opens over it, and back leads to the list', async ({ desk, engine }) => {
  // The window of WebKitGTK's small browser is not made narrower than its own buttons.
  await desk.resize(engine === 'webkit' ? 450 : 390, 760)
  await desk.signIn(STAFF)
  await desk.open(`/declarations?to=${yesterday}`)
  await expectToFit(desk)
  await desk.press(rows)
  await openLead(desk)
  await desk.press({ role: 'button', name: word('lead/back') })
  await until('the list', async () => !(await desk.arriveAt(/./)).includes('lead='))
  await desk.see(rows)
})

/** The id of the lead that is open, as the address says. */
async function openLead(desk: Desk): Promise<string> {
  const address = await desk.arriveAt(/[?&]lead=/)
  return new URLSearchParams(address.split('?')[1]).get('lead') ?? ''
}

type Page = { askedQuestions: { triage: { status: string } }[] }

/** The status that the server has of a question now. */
async function statusOf(desk: Desk, id: string): Promise<string | undefined> {
  const { askedQuestions } = await desk.fetched<Page>(`/api/asked-questions?id=${encodeURIComponent(id)}`)
  return askedQuestions[0]?.triage.status
}

async function expectToFit(desk: Desk): Promise<void> {
  expect(await desk.run(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
}

/** The name of a file that has arrived whole: nothing is being written any more. */
async function arrived(desk: Desk, pattern: RegExp): Promise<string> {
  return until(`a file ${pattern}`, () => {
    const files = readdirSync(desk.downloads)
    return files.every((name) => !/\.(part|wkdownload)$/.test(name)) && files.find((name) => pattern.test(name))
  })
}

async function rowsIn(path: string, format: 'xlsx' | 'csv'): Promise<number> {
  if (format === 'csv')
    return readFileSync(path, 'utf8')
      .trimEnd()
      .split(/\r\n(?=\d{4}-)/).length
  const workbook = new ExcelJS.Workbook()
  await workbook.xlsx.readFile(path)
  return workbook.worksheets[0]?.actualRowCount ?? 0
}

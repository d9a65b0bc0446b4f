import type { APIRequestContext } from '@playwright/test'
import { readFile } from 'node:fs/promises'
import { admin, anotherPerson, comeIn, daysAgo, DEMO, expect, manager, open, signIn, test } from './fixtures'

type School = { id: string; name: string }
type Declaration = {
  id: string
  highSchoolId: string
  createdAt: string
  user: Record<'firstName' | 'lastName' | 'email' | 'phone', string> & { highSchoolEnrollmentYear: number }
}
type Question = { id: string; highSchoolId: string; createdAt: string; sender: { mode: string } }

const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Stockholm' })
const dayNumber = (text: string) => Date.parse(text) / 86_400_000

async function external(request: APIRequestContext, path: string) {
  const headers = { authorization: 'Bearer demo', 'accept-encoding': 'identity' }
  const answer = await request.get(`${DEMO}/external/${path}`, { headers })
  return answer.json()
}

type Count = number | '<5'
type Counted = {
  cohort: number
  byYearAndSchool: { highSchoolId: string; year: number; declarations: Count; people: Count }[]
  weeks: { week: string; declarations: Count; questions: Count }[]
  curves: { year: number; points: [number, Count][] }[]
  answers: { from: string; to: string; counted: Count; withinGoal: number | null }
  roundedTo?: number
}

const rounded = (count: Count): Count =>
  count === '<5' || (count > 0 && count < 5) ? '<5' : 5 * Math.floor((count + 2) / 5)

/** All as of one moment: asked again until nothing has come in between. `exact` is who gets every number. */
async function rawAndCounted(request: APIRequestContext, exact: APIRequestContext) {
  const countedFor = async (who: APIRequestContext): Promise<Counted> => (await who.get('/api/interest')).json()
  for (;;) {
    const before = await countedFor(exact)
    const declarations: Declaration[] = (await external(request, 'conversions/declarationsOfInterest'))
      .declarationsOfInterest
    const questions: Question[] = (await external(request, 'conversions/askedQuestions')).askedQuestions
    const counted = await countedFor(request)
    const after = await countedFor(exact)
    if (JSON.stringify(before.weeks) !== JSON.stringify(after.weeks)) continue
    // The lists may have grown since, at their beginning.
    const known = declarations.slice(declarations.length - newestOf(after, 'declarations'))
    const asked = questions.slice(questions.length - newestOf(after, 'questions'))
    return { known, asked, counted, everything: after }
  }
}

/** How many are counted in all. */
function newestOf(counted: Counted, what: 'declarations' | 'questions'): number {
  return counted.weeks.reduce((sum, week) => sum + Number(week[what]), 0)
}

const numbersOf = ({ byYearAndSchool }: Counted) =>
  Object.fromEntries(
    byYearAndSchool.map(({ highSchoolId, year, declarations }) => [`${highSchoolId} ${year}`, declarations]),
  )

test('an administrator’s numbers are those one counts from the service’s own lists; a manager’s are the same, rounded', async ({
  request,
  playwright,
}) => {
  await signIn(request, manager)
  const other = await anotherPerson(playwright, admin)
  const { known, asked, counted, everything } = await rawAndCounted(request, other)
  await other.dispose()

  const cells = Object.groupBy(known, ({ highSchoolId, user }) => `${highSchoolId} ${user.highSchoolEnrollmentYear}`)
  const naive = Object.fromEntries(Object.entries(cells).map(([cell, leads]) => [cell, leads?.length ?? 0]))
  expect(numbersOf(everything)).toEqual(naive)
  expect(everything.roundedTo).toBeUndefined()
  expect(numbersOf(counted)).toEqual(
    Object.fromEntries(Object.entries(naive).map(([cell, count]) => [cell, rounded(count)])),
  )
  expect(counted.roundedTo).toBe(5)
  expect(counted.weeks).toEqual(
    everything.weeks.map(({ week, declarations, questions }) => ({
      week,
      declarations: rounded(declarations),
      questions: rounded(questions),
    })),
  )

  const year = everything.cohort
  const points = new Map<number, number>()
  const cohort = known.filter((one) => one.user.highSchoolEnrollmentYear === year)
  const days = cohort.map((one) => dayNumber(day.format(new Date(one.createdAt))) - dayNumber(`${year}-02-15`))
  for (const [index, cycleDay] of days.toSorted((a, b) => a - b).entries()) points.set(cycleDay, index + 1)
  const pointsOf = (answer: Counted) => answer.curves.find((one) => one.year === year)?.points ?? []
  expect(pointsOf(everything)).toEqual([...points])
  const ends = [...new Set(days.map((one) => Math.ceil(one / 7) * 7 + 0))].toSorted((a, b) => a - b)
  expect(pointsOf(counted), 'a point for each week').toEqual(
    ends.map((end) => [end, rounded(days.filter((one) => one <= end).length)]),
  )

  expect(known.length + asked.length).toBeGreaterThan(19_000)
})

/** Every count in an answer. */
const countsOf = ({ byYearAndSchool, weeks, curves, answers }: Counted): Count[] => [
  ...byYearAndSchool.flatMap(({ declarations, people }) => [declarations, people]),
  ...weeks.flatMap(({ declarations, questions }) => [declarations, questions]),
  ...curves.flatMap(({ points }) => points.map(([, sum]) => sum)),
  ...[...JSON.stringify(answers).matchAll(/"count(?:ed)?":(?:(\d+)|"<5")/g)].map(([, number]) =>
    number === undefined ? ('<5' as const) : Number(number),
  ),
]
const isRounded = (count: Count) => count === '<5' || count % 5 === 0

test('a manager’s numbers are rounded by one rule, whatever they filter by, and nobody else’s are', async ({
  request,
  playwright,
}) => {
  await signIn(request, manager)
  const other = await anotherPerson(playwright, admin)
  const schools: School[] = (await (await other.get('/api/high-schools')).json()).highSchools
  const exactly: Count[] = []
  for (const query of ['', `?from=${daysAgo(19)}&to=${daysAgo(18)}`, ...schools.map(({ id }) => `?school=${id}`)]) {
    const answer: Counted = await (await request.get(`/api/interest${query}`)).json()
    expect(answer.roundedTo, query).toBe(5)
    expect(
      countsOf(answer).filter((count) => !isRounded(count)),
      query,
    ).toEqual([])
    const exact: Counted = await (await other.get(`/api/interest${query}`)).json()
    expect(exact.roundedTo, query).toBeUndefined()
    exactly.push(...countsOf(exact).filter((count) => !isRounded(count) || Number(count) < 5))
    for (const [who, days] of [
      [answer, 7],
      [exact, 2],
    ] as const) {
      if (!query.startsWith('?from')) continue
      const { from, to } = who.answers
      expect((dayNumber(to) - dayNumber(from) + 1) % days, 'days are widened to whole weeks').toBe(0)
    }
  }
  await other.dispose()
  expect(exactly).not.toEqual([])
})

test('every number on a manager’s page and in its files is rounded, and the page says so', async ({
  page,
  context,
}) => {
  await comeIn(context, manager)
  const answer: Counted = await (await context.request.get('/api/interest')).json()
  const highSchoolId = answer.byYearAndSchool.find(({ declarations }) => declarations === '<5')?.highSchoolId ?? ''
  const rule = page.getByRole('main').getByText('Avrundat till närmaste femtal; färre än fem visas som <5')
  const exact = (numbers: string[]) => numbers.filter((text) => !/^(?:<5|[\d\s]*[05])$/.test(text))
  const table = page.getByRole('region', { name: /per skola och startår/ })
  const numbers = () => table.getByRole('cell').allTextContents()
  for (const path of [`/interest?school=${highSchoolId}`, '/interest', '/interest?unit=people']) {
    await open(page, path)
    await expect(rule).toBeVisible()
    await expect.poll(numbers).toContain('<5')
    expect(exact(await numbers())).toEqual([])
    await expect(table.getByRole('img', { name: 'färre än 5' }).first()).toBeVisible()
  }
  await page.getByRole('button', { name: 'Ladda ner Per vecka', exact: true }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Tabell (CSV)' }).click(),
  ])
  const rows = (await readFile(await file.path(), 'utf8')).trim().split('\r\n').slice(1)
  expect(rows.length).toBeGreaterThan(50)
  expect(exact(rows.flatMap((row) => row.split(';').slice(2)))).toEqual([])
  await comeIn(context, admin)
  for (const path of ['/interest', `/interest?school=${highSchoolId}`]) {
    await open(page, path)
    await expect.poll(async () => exact(await numbers())).not.toEqual([])
    await expect(rule).toBeHidden()
  }
})

test('a manager chooses whole weeks and months, never days', async ({ page, context }) => {
  await comeIn(context, manager)
  await open(page, '/interest')
  const period = page.getByRole('button', { name: /^Period: / })
  await period.click()
  await expect(page.getByLabel('Från och med').locator('optgroup')).toHaveCount(2)
  await expect(page.locator('input[type=date]')).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Senaste/ })).toHaveCount(0)
  const week = page.getByLabel('Från och med').locator('optgroup[label=Veckor] option').nth(2)
  const monday = (await week.getAttribute('value')) ?? ''
  await page.getByLabel('Från och med').selectOption(monday)
  await expect(page).toHaveURL(new RegExp(`from=${monday}`))
  await expect(page.getByText(/^Perioden /)).toBeVisible()
  const { answers } = await (await context.request.get(`/api/interest?from=${daysAgo(9)}&to=${daysAgo(9)}`)).json()
  expect([answers.from, answers.to].map((text) => new Date(text).getUTCDay())).toEqual([1, 0])
  const shown = async (from: string, to: string) => {
    await open(page, `/interest?from=${from}&to=${to}`)
    return period.textContent()
  }
  expect(await shown(daysAgo(9), daysAgo(9)), 'what is counted').toBe(await shown(answers.from, answers.to))
})

import type { APIRequestContext } from '@playwright/test'
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

type Counted = {
  cohort: number
  byYearAndSchool: { highSchoolId: string; year: number; declarations: number; people: number }[]
  weeks: { week: string; declarations: number; questions: number }[]
  curves: { year: number; points: [number, number][] }[]
  withheldBelow?: number
}

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
  return counted.weeks.reduce((sum, week) => sum + week[what], 0)
}

const numbersOf = ({ byYearAndSchool }: Counted, of: (count: number) => number = (count) => count) =>
  Object.fromEntries(
    byYearAndSchool.map(({ highSchoolId, year, declarations }) => [`${highSchoolId} ${year}`, of(declarations)]),
  )

test('an administrator’s numbers are those one counts from the service’s own lists; a manager’s have no small ones', async ({
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
  expect(everything.withheldBelow).toBeUndefined()
  expect(numbersOf(counted)).toEqual(numbersOf(everything, (count) => Math.max(4, count)))
  expect(counted.withheldBelow).toBe(5)

  const year = everything.cohort
  const points = new Map<number, number>()
  const cohort = known.filter((one) => one.user.highSchoolEnrollmentYear === year)
  const days = cohort.map((one) => dayNumber(day.format(new Date(one.createdAt))) - dayNumber(`${year}-02-15`))
  for (const [index, cycleDay] of days.toSorted((a, b) => a - b).entries()) points.set(cycleDay, index + 1)
  const pointsOf = (answer: Counted) => answer.curves.find((one) => one.year === year)?.points ?? []
  expect(pointsOf(everything)).toEqual([...points])
  const told = pointsOf(counted).map(([, cumulative]) => cumulative)
  const steps = told.map((cumulative, index) => cumulative - (told[index - 1] ?? 0))
  expect(steps.filter((step) => step < 5)).toEqual([])
  expect(days.length - (told.at(-1) ?? 0), 'all but single small groups').toBeLessThan(20)
  const until = (last: number) => days.filter((one) => one <= last).length
  const early = pointsOf(counted).filter(([at, sum]) => sum > until(at + 27))
  expect(early, 'nothing is told more than four weeks before it came').toEqual([])
  // Of each school three kinds are told in blocks (`lib/interest/told-leads`), which are right where they end: before that, one
  // of five is off by four. Until a cohort has some thousands that is more than a small share of it.
  const blocks = 3 * new Set(cohort.map(({ highSchoolId }) => highSchoolId)).size
  const most = Math.max(blocks * 4, days.length * 0.02)
  const off = pointsOf(counted).map(([at, sum]) => Math.abs(sum - until(at)))
  expect(Math.max(...off), 'a curve is still a curve').toBeLessThan(most)

  expect(known.length + asked.length).toBeGreaterThan(19_000)
})

test('small numbers are withheld from those who may not read leads, whatever they choose, and from nobody else', async ({
  request,
  playwright,
}) => {
  const countsOf = ({ byYearAndSchool, weeks }: Counted) => [
    ...byYearAndSchool.flatMap(({ declarations, people }) => [declarations, people]),
    ...weeks.flatMap(({ declarations, questions }) => [declarations, questions]).filter((count) => count > 0),
  ]
  await signIn(request, manager)
  const other = await anotherPerson(playwright, admin)
  const schools: School[] = (await (await other.get('/api/high-schools')).json()).highSchools
  const few = []
  for (const query of ['', `?from=${daysAgo(19)}&to=${daysAgo(18)}`, ...schools.map(({ id }) => `?school=${id}`)]) {
    const told: Counted = await (await request.get(`/api/interest${query}`)).json()
    expect(told.withheldBelow, query).toBe(5)
    expect(
      countsOf(told).filter((count) => count < 4),
      query,
    ).toEqual([])
    const exact: Counted = await (await other.get(`/api/interest${query}`)).json()
    expect(exact.withheldBelow, query).toBeUndefined()
    few.push(...countsOf(exact).filter((count) => count < 4))
  }
  await other.dispose()
  expect(few).not.toEqual([])
})

test('no small number is on a manager’s page, and every number on an administrator’s', async ({ page, context }) => {
  await comeIn(context, manager)
  const told: Counted = await (await context.request.get('/api/interest')).json()
  const highSchoolId = told.byYearAndSchool.find(({ declarations }) => declarations < 5)?.highSchoolId ?? ''
  const few = (numbers: string[]) => numbers.filter((text) => /^[1-4]$/.test(text))
  const numbers = () =>
    page
      .getByRole('region', { name: /per skola och startår/ })
      .getByRole('cell')
      .allTextContents()
  for (const path of [`/interest?school=${highSchoolId}`, '/interest', '/interest?unit=people']) {
    await open(page, path)
    await expect(page.getByRole('main').getByText('Antal under fem visas som <5')).toBeVisible()
    await expect.poll(numbers).toContain('<5')
    expect(few(await numbers())).toEqual([])
  }
  await comeIn(context, admin)
  await open(page, '/interest')
  await expect.poll(async () => few(await numbers())).not.toEqual([])
  await expect(page.getByText('Antal under fem visas som <5')).toBeHidden()
  await open(page, `/interest?school=${highSchoolId}`)
  await expect.poll(async () => few(await numbers())).not.toEqual([])
})

import { expect, it } from 'vitest'
import { createDemoService } from './demo'
import { TIERS } from './invented/data'

const now = () => Date.UTC(2026, 10, 21, 9)
const demo = createDemoService({ tier: 'M', now })

function get(service: typeof demo, path: string, token: string) {
  const headers = { authorization: `Bearer ${token}` }
  return service.handle(new Request(`http://localhost:3000/external/${path}`, { headers }))
}

it('the demo answers visitors under their public tokens', async () => {
  const all = await (await get(demo, 'highSchools', 'demo')).json()
  expect(all.highSchools).toHaveLength(TIERS.M.schools)
  const some = await (await get(demo, 'highSchools', 'demo-some')).json()
  expect(some.highSchools).toHaveLength(2)
  expect((await get(demo, 'highSchools', 'demo-none')).status).toBe(403)
})

it('visitors cannot spend what the dashboard needs: its token is another in every process, with a limit of its own', async () => {
  const fresh = createDemoService({ tier: 'S', now })
  const statuses: number[] = []
  for (let calls = 0; calls < 11; calls++) statuses.push((await get(fresh, 'highSchools', 'demo')).status)
  expect(statuses.at(-1)).toBe(429)
  expect((await get(fresh, 'highSchools', fresh.token)).status).toBe(200)
  expect(fresh.token).not.toBe(demo.token)
})

it('after a failure the next call invents the data', async () => {
  let isAway = true
  const readFirstStart = async () => (isAway ? Promise.reject(new Error('away')) : now())
  const late = createDemoService({ tier: 'S', now, readFirstStart })
  await expect(late.data()).rejects.toThrow('away')
  isAway = false
  expect((await late.data()).highSchools).toHaveLength(TIERS.S.schools)
})

it('the staff of the demo have two schools that have leads, or the one there is', async () => {
  const { askedQuestions } = await demo.data()
  const asked = new Set(askedQuestions.map(({ highSchoolId }) => highSchoolId))
  expect(demo.staffSchools.filter((id) => asked.has(id))).toHaveLength(2)
  expect(createDemoService({ tier: 'S' }).staffSchools).toHaveLength(1)
})

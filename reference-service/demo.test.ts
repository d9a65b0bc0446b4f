import { describe, expect, it } from 'vitest'
import { createDemoService } from './demo'
import { tiers } from './invented/data'

const now = () => Date.UTC(2026, 10, 21, 9)

async function get(demo: ReturnType<typeof createDemoService>, path: string, token: string) {
  const headers = { authorization: `Bearer ${token}` }
  return demo.handle(new Request(`http://localhost:3000/external/${path}`, { headers }))
}

describe('the demo', () => {
  const demo = createDemoService({ tier: 'M', now })

  it('answers visitors under their public tokens', async () => {
    const all = await (await get(demo, 'highSchools', 'demo')).json()
    expect(all.highSchools).toHaveLength(tiers.M.schools)
    const some = await (await get(demo, 'highSchools', demo.publicTokens.some)).json()
    expect(some.highSchools).toHaveLength(2)
    expect((await get(demo, 'highSchools', demo.publicTokens.none)).status).toBe(403)
  })

  it('has the leads of its tier for its own token, which is another in every process', async () => {
    const { declarationsOfInterest } = await (await get(demo, 'conversions/declarationsOfInterest', demo.token)).json()
    expect(declarationsOfInterest).toHaveLength(tiers.M.declarations)
    expect(createDemoService({ tier: 'S' }).token).not.toBe(demo.token)
  })

  it('does not let visitors spend what the dashboard needs', async () => {
    const fresh = createDemoService({ tier: 'S', now })
    const statuses: number[] = []
    for (let calls = 0; calls < 11; calls++) statuses.push((await get(fresh, 'highSchools', 'demo')).status)
    expect(statuses.at(-1)).toBe(429)
    expect((await get(fresh, 'highSchools', fresh.token)).status).toBe(200)
  })

  it('gives its staff two schools that have leads, or the one there is', async () => {
    expect(new Set(demo.staffSchools).size).toBe(2)
    const { askedQuestions } = await (await get(demo, 'conversions/askedQuestions', demo.token)).json()
    for (const id of demo.staffSchools) {
      expect(askedQuestions.some(({ highSchoolId }: { highSchoolId: string }) => highSchoolId === id)).toBe(true)
    }
    expect(createDemoService({ tier: 'S' }).staffSchools).toHaveLength(1)
  })
})

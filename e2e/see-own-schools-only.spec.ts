import type { APIRequestContext } from '@playwright/test'
import { LISTS } from '@/lib/contract/lists'
import { admin, expect, headers, pick, read, staff, test } from './fixtures'
import { declarations } from './leads'

async function schoolIdsOf(request: APIRequestContext): Promise<string[]> {
  return (await read(request, '/api/high-schools')).highSchools.map(({ id }: { id: string }) => id)
}

test.use({ as: staff })

test('a person with two schools gets nothing of a third, whatever the parameter', async ({
  context: { request },
  requestAs,
}) => {
  const own = await schoolIdsOf(request)
  expect(own).toHaveLength(2)
  const boss = await requestAs(admin)
  const id = encodeURIComponent(pick(await schoolIdsOf(boss), (school) => !own.includes(school)))
  const lead = pick(await declarations(boss, `school=${id}&limit=1`))
  for (const { path, field } of Object.values(LISTS)) {
    for (const query of ['', 'q=a&limit=500', 'sort=school&limit=500', `school=${id}&school=${own[0]}&limit=500`]) {
      const items: { highSchoolId: string }[] = (await read(request, `${path}?${query}`))[field]
      expect(
        items.filter(({ highSchoolId }) => !own.includes(highSchoolId)),
        `${path}?${query}`,
      ).toEqual([])
    }
    expect(await read(request, `${path}?school=${id}`)).toMatchObject({ [field]: [], total: 0 })
  }
  expect(await declarations(request, `id=${encodeURIComponent(lead.id)}`)).toEqual([])
  expect((await request.get(`/api/high-schools/${id}`)).status()).toBe(404)
  const data = { leads: [{ kind: 'declaration-of-interest', id: lead.id }], status: 'handled' }
  expect((await request.patch('/api/triage', { headers, data })).status()).toBe(404)
})

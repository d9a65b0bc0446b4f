import type { APIRequestContext } from '@playwright/test'
import { LISTS } from '@/lib/contract/lists'
import { expect, headers, pick, read, test } from './fixtures'
import { declarations } from './leads'

const schoolIdsOf = async (request: APIRequestContext): Promise<string[]> =>
  (await read(request, '/api/high-schools')).highSchools.map(({ id }: { id: string }) => id)

test.use({ as: 'staff' })

test('a user with two schools gets nothing of a third, whatever the parameter', async ({ page, requestAs }) => {
  const { request } = page
  const own = await schoolIdsOf(request)
  expect(own).toHaveLength(2)
  const boss = await requestAs('admin')
  const id = encodeURIComponent(pick(await schoolIdsOf(boss), (school) => !own.includes(school)))
  const lead = pick(await declarations(boss, `school=${id}&limit=1`))
  for (const { path, field } of Object.values(LISTS)) {
    const items: { highSchoolId: string }[] = (await read(request, `${path}?q=a&limit=500`))[field]
    expect(new Set(items.map(({ highSchoolId }) => highSchoolId))).toEqual(new Set(own))
    expect(await read(request, `${path}?school=${id}`)).toMatchObject({ [field]: [], total: 0 })
  }
  expect(await declarations(request, `id=${encodeURIComponent(lead.id)}`)).toEqual([])
  expect((await request.get(`/api/high-schools/${id}`)).status()).toBe(404)
  const data = { leads: [{ kind: 'declaration-of-interest', id: lead.id }], status: 'handled' }
  expect((await request.patch('/api/triage', { headers, data })).status()).toBe(404)
})

import { expect, it } from 'vitest'
import { changedSearch } from '@/lib/inbox/url-writes'
import { singleValues } from './url-state'

it('writes each parameter once, and takes out what is null', () => {
  expect(singleValues({ cohort: 2026, from: null, unit: 'people' })).toEqual({
    cohort: ['2026'],
    from: [],
    unit: ['people'],
  })
  expect(changedSearch('school=a&from=2026-10-01&cohort=2025', singleValues({ cohort: 2026, from: null }))).toBe(
    'school=a&cohort=2026',
  )
})

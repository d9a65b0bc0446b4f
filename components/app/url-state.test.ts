import { expect, it } from 'vitest'
import { applyUrlChange, toUrlChange } from './url-state'

it('writes each parameter once, takes out what is null, and leaves everything else as it is', () => {
  const change = toUrlChange({ cohort: 2026, from: null })
  expect(change).toEqual({ cohort: ['2026'], from: [] })
  expect(applyUrlChange('school=a&school=b&from=2026-10-01&cohort=2025', change)).toBe('school=a&school=b&cohort=2026')
  expect(applyUrlChange('', { status: ['new', 'handled'] })).toBe('status=new&status=handled')
})

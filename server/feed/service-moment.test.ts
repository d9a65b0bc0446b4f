import { expect, test } from 'vitest'
import { standardizeMoment } from './service-moment'

test.each([
  ['2026-11-20T08:00:00Z', '2026-11-20T08:00:00Z'],
  ['2024-02-29T23:59:59.999-11:30', '2024-02-29T23:59:59.999-11:30'],
  ['9999-12-31T23:59:59.999+14:00', '9999-12-31T23:59:59.999+14:00'],
  ['2026-11-20T24:00:00.000Z', '2026-11-20T24:00:00.000Z'],
  ['2026-11-20T08:00', '2026-11-20T08:00:00.000Z'],
  ['2026-11-20T08:00:00.123456Z', '2026-11-20T08:00:00.123Z'],
  ['2026-11-20T08:00:00+0100', '2026-11-20T07:00:00.000Z'],
])('%s is kept where it is standard, or written so that every browser reads it: %s', (written, standard) => {
  expect(standardizeMoment(written)).toBe(standard)
})

test.each([
  '',
  '2026-11-20',
  '2026-11-20 08:00:00Z',
  '2026-02-30T08:00:00.000Z',
  '1900-02-29T08:00:00.000Z',
  '2026-13-01T08:00:00.000Z',
  '2026-11-20T08:00:00.000+99:00',
  '9999-12-31T23:59:59.999-00:01',
  '+010000-01-01T00:00:00.000Z',
  '2016-12-31T23:59:60Z',
])('"%s" is no moment', (written) => {
  expect(standardizeMoment(written)).toBeNull()
})

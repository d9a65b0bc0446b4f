import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { createCardIds } from './export-leads'

const key = Buffer.alloc(32, 7)

test('the card of a lead is named by the keyed hash of its kind and id, as a UUID that says how it was made', () => {
  const ids = createCardIds(key)
  const uuid = ids('declaration-of-interest', 'Åsa 1')
  const mac = createHmac('sha256', key).update('declaration-of-interest Åsa 1').digest('hex')
  expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(mac.startsWith(uuid.replaceAll('-', '').slice(0, 12))).toBe(true)
  expect(uuid.slice(-12)).toBe(mac.slice(20, 32))
  expect(ids('declaration-of-interest', 'Åsa 1')).toBe(uuid)
  expect(ids('asked-question', 'Åsa 1')).not.toBe(uuid)
})

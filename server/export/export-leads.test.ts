import { expect, test } from 'vitest'
import type { LeadKind } from '@/lib/contract/lead'
import { createCardId } from './export-leads'

test('the card of a lead is named by a keyed hash of its kind and id, as a UUID that says how it was made', () => {
  const nameOf = (key: number, kind: LeadKind) => createCardId(Buffer.alloc(32, key), kind, 'Åsa 1')
  const uuid = nameOf(7, 'declaration-of-interest')
  expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(nameOf(7, 'declaration-of-interest')).toBe(uuid)
  expect(new Set([uuid, nameOf(8, 'declaration-of-interest'), nameOf(7, 'asked-question')]).size).toBe(3)
})

import { expect, test } from 'vitest'
import type { DataKeys } from '@/server/base/seal'
import { hashScope } from './export-scope'

const [key, previousKey] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)]
const list = 'declarations-of-interest'
const hash = (school: string[], keys: DataKeys = [key]) =>
  hashScope(keys, { list, matching: { list, school }, format: 'csv' })

test('a scope is found again under a replaced key, and whatever the order of choices', () => {
  const [scope] = hash(['norra', 'sodra'], [previousKey])
  expect(hash(['sodra', 'norra'], [key, previousKey])).toEqual([expect.any(String), scope])
  expect(hash(['norra'], [previousKey])).not.toContain(scope)
})

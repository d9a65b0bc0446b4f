import { expect, test } from 'vitest'
import { expectEvery, expectEveryAsync } from './every-case'

const name = (one: number) => `number ${one}`
const isEven = (one: number) => expect(one % 2, 'is even').toBe(0)
const throwing = () => {
  throw new TypeError('no such thing')
}
/** The failure of both ways, if there is one. */
const failures = async (cases: number[], check: (one: number) => void = isEven) => [
  await new Promise<void>((resolve) => resolve(expectEvery(cases, name, check))).catch(String),
  await expectEveryAsync(cases, name, async (one) => check(await Promise.resolve(one))).catch(String),
]

test('a check of every case passes when all of them do', async () => {
  expect(await failures([2, 4])).toEqual([undefined, undefined])
})

test('it names every case that fails, with what was expected and what came, and none that passes', async () => {
  for (const message of await failures([1, 2, 3])) {
    expect(message).toMatch(/2 of 3 cases failed\n✗ number 1: is even.*\n✗ number 3: is even/)
    expect(message).toContain('(expected 0, got 1)')
    expect(message).not.toContain('number 2')
  }
})

test('it reports what is thrown that is no assertion, and fails where there is nothing to check', async () => {
  for (const message of await failures([1], throwing)) expect(message).toContain('✗ number 1: no such thing')
  for (const message of await failures([])) expect(message).toContain('no case')
})

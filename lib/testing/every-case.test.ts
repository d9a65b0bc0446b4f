import { describe, expect, test } from 'vitest'
import { expectEvery, expectEveryAsync } from './every-case'

const name = (one: number) => `number ${one}`
const isEven = (one: number) => expect(one % 2, 'is even').toBe(0)
const isEvenLater = async (one: number) => isEven(await Promise.resolve(one))

describe('a check of every case', () => {
  test('passes when all of them do', async () => {
    expect(() => expectEvery([2, 4], name, isEven)).not.toThrow()
    await expect(expectEveryAsync([2, 4], name, isEvenLater)).resolves.toBeUndefined()
  })

  test('names every case that fails, with what was expected and what came, and none that passes', async () => {
    const caught = [
      await Promise.resolve()
        .then(() => expectEvery([1, 2, 3], name, isEven))
        .catch(String),
      await expectEveryAsync([1, 2, 3], name, isEvenLater).catch(String),
    ]
    for (const message of caught) {
      expect(message).toMatch(/2 of 3 cases failed\n✗ number 1: is even.*\n✗ number 3: is even/)
      expect(message).toContain('(expected 0, got 1)')
      expect(message).not.toContain('number 2')
    }
  })

  test('tells what is thrown that is no assertion', () => {
    const throws = () => {
      throw new TypeError('no such thing')
    }
    expect(() => expectEvery([1], name, throws)).toThrow('✗ number 1: no such thing')
  })

  test('fails where there is nothing to check', async () => {
    expect(() => expectEvery([], name, isEven)).toThrow('no case')
    await expect(expectEveryAsync([], name, isEvenLater)).rejects.toThrow('no case')
  })
})

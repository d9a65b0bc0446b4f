import { encode } from 'uqr'
import { expect, test } from 'vitest'
import { codePath } from './qr-code'

test('each run of dark modules is one rectangle', () => {
  expect(codePath([[true, true, false, true], [false], [false, true]])).toBe('M0 0h2v1H0zM3 0h1v1H3zM1 2h1v1H1z')
})

test('the path covers exactly the dark modules of a code', () => {
  const { data, size } = encode('otpauth://totp/Intag:sara')
  const covered = Array.from({ length: size }, () => Array.from({ length: size }, () => false))
  for (const [, x, y, width] of codePath(data).matchAll(/M(\d+) (\d+)h(\d+)/g)) {
    for (let at = Number(x); at < Number(x) + Number(width); at++) covered[Number(y)]?.splice(at, 1, true)
  }
  expect(covered).toEqual(data)
})

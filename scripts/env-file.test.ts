import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as tls from 'node:tls'
import { expect, test } from 'vitest'
import { temporaryFolder } from '@/server/testing/folder'
import { settingsIn, takeEnvFile } from './env-file.mjs'

test.each([
  ['MAIL_FROM=Intag <intag@skola.se>', 'Intag <intag@skola.se>'],
  ['OIDC_NAME=openid email groups', 'openid email groups'],
  ['A=b # no comment', 'b # no comment'],
  ['A=p#ss$HOME;`x`', 'p#ss$HOME;`x`'],
  ['  A =  b  \r', 'b'],
  ['A="b  "', 'b  '],
  [`A='say "x" \\n'`, 'say "x" \\n'],
  [String.raw`A="a \"b\" \$c \\ \n"`, String.raw`a "b" $c \ \n`],
  [String.raw`A=a\ b\\c`, String.raw`a b\c`],
  ['A=one \\\ntwo', 'one two'],
  ['A="one\ntwo"', 'one\ntwo'],
  [`A="one" 'two'three`, 'onetwothree'],
  [`A=it's "so"`, `it's "so"`],
  [String.raw`A=a\  `, 'a '],
  ['A=b\u00a0', 'b\u00a0'],
  ['A=one\rB', 'one'],
  ['A=one \\\r\n', 'one '],
  ['A=', ''],
  ['A=postgres://u:p%20w@db/x?sslmode=verify-full', 'postgres://u:p%20w@db/x?sslmode=verify-full'],
])('%j is read as systemd reads it', (line, value) => {
  const settings = settingsIn(`# BEFORE=1\n; BEFORE=2\nnothing\n1x=2\n${line}\n# A=comment\nAFTER=3`)
  expect(Object.values(settings)).toEqual([value, '3'])
})

test.each([
  ['A="abc\nB=2\n', { A: 'abc\nB=2\n' }],
  [`A='abc\nB='2'\nC=3`, { A: "abc\nB=2'", C: '3' }],
  [String.raw`A="abc\"`, { A: 'abc"' }],
  ['A="abc" "d', { A: 'abcd' }],
  ['A=b  ', { A: 'b' }],
  ['A=b \\', { A: 'b ' }],
  ['A', {}],
  ['\uFEFFA=1\nB=2', { B: '2' }],
  ['export A=1\nB=2', { B: '2' }],
])('%j, with nothing after it, is read as systemd reads it', (text, settings) => {
  expect(settingsIn(text)).toEqual(settings)
})

const folder = temporaryFolder()
test('the file wins over the environment, its last line over the first, and the other arguments stay', () => {
  const path = join(folder, 'intag.env')
  writeFileSync(path, 'PORT=1\nPORT=2\n')
  for (const given of [['--env-file', path], [`--env-file=${path}`]]) {
    const into = { PORT: '9', HOST: 'here' }
    expect(takeEnvFile(['doctor', ...given, '--json'], into)).toEqual(['doctor', '--json'])
    expect(into).toEqual({ PORT: '2', HOST: 'here', INTAG_ENV_FILE: path })
  }
  expect(takeEnvFile(['doctor'])).toEqual(['doctor'])
  expect(() => takeEnvFile(['--env-file', join(folder, 'none')])).toThrow(/cannot be read \(ENOENT\)/)
  expect(() => takeEnvFile(['doctor', '--env-file'])).toThrow(/needs the path/)
})

test('an authority that only the file names is trusted', () => {
  const [path, certificate] = [join(folder, '.env'), tls.rootCertificates[0] ?? '']
  writeFileSync(join(folder, 'ca.pem'), `${certificate}\n${certificate}\n`)
  writeFileSync(path, `NODE_EXTRA_CA_CERTS=${join(folder, 'ca.pem')}\n`)
  const load = (more = '') => {
    const says = `${more}; loadEnvFile('${path}'); console.log(tls.getCACertificates('default').length)`
    const source = `import tls from 'node:tls'; import { loadEnvFile } from './scripts/env-file.mjs'; ${says}`
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: undefined }
    return spawnSync(process.execPath, ['--input-type=module', '-e', source], { env, encoding: 'utf8' })
  }
  expect(load('tls.setDefaultCACertificates([])').stdout).toBe('1\n')
  writeFileSync(join(folder, 'ca.pem'), 'nothing')
  expect(load().stderr).toContain('NODE_EXTRA_CA_CERTS names a file without certificates in PEM')
})

import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as tls from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '@/server/testing/folder'
import { loadSettings } from './env-file.mjs'

const folder = temporaryFolder()
test.each([
  ['A=Intag <intag@skola.se>', 'Intag <intag@skola.se>'],
  ['A=openid email groups', 'openid email groups'],
  [`A='p#ss$HOME;'`, 'p#ss$HOME;'],
  ['A=', ''],
  ['A=postgres://u:p%20w@db/x?sslmode=verify-full', 'postgres://u:p%20w@db/x?sslmode=verify-full'],
])('%j is read as systemd reads it, too', (line, value) => {
  const [path, into] = [join(folder, 'lines.env'), {}]
  writeFileSync(path, `# BEFORE=1\n${line}\n# A=comment\nAFTER=3\n`)
  loadSettings(['--env-file', path], into)
  expect(into).toEqual({ A: value, AFTER: '3', INTAG_ENV_FILE: path })
})

test('the named file wins over the environment, a name twice in it is refused, and the other arguments stay', () => {
  const path = join(folder, 'intag.env')
  writeFileSync(path, 'PORT=2\n')
  for (const given of [['--env-file', path], [`--env-file=${path}`]]) {
    const into = { PORT: '9', HOST: 'here' }
    expect(loadSettings(['doctor', ...given, '--json'], into)).toEqual(['doctor', '--json'])
    expect(into).toEqual({ PORT: '2', HOST: 'here', INTAG_ENV_FILE: path })
  }
  writeFileSync(path, 'PORT=1\nPORT=2\n')
  expect(() => loadSettings(['--env-file', path], {})).toThrow('PORT more than once')
  expect(() => loadSettings(['--env-file', join(folder, 'none')])).toThrow(/cannot be read \(ENOENT\)/)
  expect(() => loadSettings(['doctor', '--env-file'])).toThrow(/needs the path/)
})

test('.env is read below the environment, and not beside a named file', () => {
  const here = process.cwd()
  process.chdir(folder)
  onTestFinished(() => process.chdir(here))
  writeFileSync('.env', 'PORT=1\nHOST=there\n')
  writeFileSync('named.env', 'PORT=2\n')
  const into = { HOST: 'here' }
  expect(loadSettings(['doctor'], into)).toEqual(['doctor'])
  expect(into).toEqual({ PORT: '1', HOST: 'here', INTAG_ENV_FILE: '.env' })
  const beside = {}
  loadSettings(['--env-file', 'named.env'], beside)
  expect(beside).toEqual({ PORT: '2', INTAG_ENV_FILE: 'named.env' })
})

test('an authority that only the file names is trusted', () => {
  const [path, certificate] = [join(folder, '.env'), tls.rootCertificates[0] ?? '']
  writeFileSync(join(folder, 'ca.pem'), `${certificate}\n${certificate}\n`)
  writeFileSync(path, `NODE_EXTRA_CA_CERTS=${join(folder, 'ca.pem')}\n`)
  const load = (more = '') => {
    const says = `${more}; loadSettings([]); console.log(tls.getCACertificates('default').length)`
    const source = `import tls from 'node:tls'; import { loadSettings } from '${resolve('scripts/env-file.mjs')}'; ${says}`
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: undefined }
    return spawnSync(process.execPath, ['--input-type=module', '-e', source], { cwd: folder, env, encoding: 'utf8' })
  }
  expect(load('tls.setDefaultCACertificates([])').stdout).toBe('1\n')
  writeFileSync(join(folder, 'ca.pem'), 'nothing')
  expect(load().stderr).toContain('NODE_EXTRA_CA_CERTS names a file without certificates in PEM')
  expect(() => loadSettings(['--env-file', path], {})).toThrow('NODE_EXTRA_CA_CERTS names a file without')
})

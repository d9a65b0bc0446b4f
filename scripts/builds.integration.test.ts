import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildFolder, isWhole, removeOldBuilds, wholeMark } from './builds.mjs'

const home = process.cwd()
let tree: string
beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), 'intag-builds-'))
  process.chdir(tree)
  mkdirSync('server')
  writeFileSync('server/a.ts', 'a')
  writeFileSync('package.json', '{}')
})
afterEach(() => {
  process.chdir(home)
  rmSync(tree, { recursive: true })
})

test('a build is named by the sources: others have another folder, the same ones the same again', () => {
  const first = buildFolder()
  writeFileSync('server/a.test.ts', 'a test')
  expect(buildFolder()).toBe(first)
  writeFileSync('server/a.ts', 'b')
  expect(buildFolder()).not.toBe(first)
  writeFileSync('server/a.ts', 'a')
  expect(buildFolder()).toBe(first)
})

test('where there are no sources it is the one that is named', () => {
  mkdirSync('.next')
  writeFileSync('.next/only-build', '.next/builds/0123')
  expect(buildFolder()).toBe('.next/builds/0123')
})

test('what did not become whole is none and is removed; of the others the three newest stay', () => {
  for (const [index, name] of ['one', 'two', 'three', 'four', 'killed'].entries()) {
    const folder = join('.next/builds', name)
    mkdirSync(folder, { recursive: true })
    if (name === 'killed') continue
    writeFileSync(wholeMark(folder), '')
    utimesSync(wholeMark(folder), index, index)
  }
  expect([isWhole('.next/builds/killed'), isWhole('.next/builds/one')]).toEqual([false, true])
  removeOldBuilds()
  expect(readdirSync('.next/builds').sort()).toEqual(['four', 'three', 'two'])
})

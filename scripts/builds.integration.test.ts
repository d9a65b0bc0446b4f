import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { temporaryFolders } from '@/server/testing/folder'
import { buildFolder, isWhole, removeOldBuilds, wholeMark } from './builds.mjs'

const home = process.cwd()
const newFolder = temporaryFolders()
beforeEach(() => {
  process.chdir(newFolder())
  mkdirSync('server')
  writeFileSync('server/a.ts', 'a')
  writeFileSync('package.json', '{}')
})
afterEach(() => process.chdir(home))

test('the folder of a build follows its sources', () => {
  const first = buildFolder()
  writeFileSync('server/a.test.ts', 'a test')
  expect(buildFolder()).toBe(first)
  writeFileSync('server/a.ts', 'b')
  expect(buildFolder()).not.toBe(first)
  writeFileSync('server/a.ts', 'a')
  expect(buildFolder()).toBe(first)
})

test('without sources it is the one in .next/only-build', () => {
  mkdirSync('.next')
  writeFileSync('.next/only-build', '.next/builds/0123')
  expect(buildFolder()).toBe('.next/builds/0123')
})

test('unfinished builds are removed; of the others the three newest stay', () => {
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

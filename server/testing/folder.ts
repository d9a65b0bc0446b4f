import 'server-only'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** A new folder for the tests of a file or a `describe`. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'intag-test-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Answers what makes a new folder, as for each test. */
export function temporaryFolders(): () => string {
  const above = temporaryFolder()
  return () => mkdtempSync(join(above, 'x'))
}

import { readFileSync, watchFile, unwatchFile } from 'node:fs'
import { type FileContent, parseDataFile } from './file-schema'
import { createStore, type Store } from './store'

const pollMs = 500

export type Watch = (path: string, changed: () => void) => { stop(): void }

export type FileStoreOptions = {
  path: string
  /** Names the tokens when the file has none of its own. */
  seed: number
  report: (message: string) => void
  watch?: Watch
}

/** The data of a file, read again when it changes; an edit that cannot be read is reported and the last good data stays. */
export function openFileStore({
  path,
  seed,
  report,
  watch = watchByPolling,
}: FileStoreOptions): Store & { stop(): void } {
  const read = (): FileContent => {
    try {
      return parseDataFile(readFileSync(path, 'utf8'), seed)
    } catch (error) {
      throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
    }
  }
  const first = read()
  const store = createStore(first.data, first.tokens)
  const { stop } = watch(path, () => {
    try {
      const { data, tokens } = read()
      store.replace(data, tokens)
      report(`${path}: read again`)
    } catch (error) {
      report(`${error instanceof Error ? error.message : String(error)}; keeping the last good data`)
    }
  })
  return { ...store, stop }
}

/** Polls, since editors replace a file instead of writing into it and events of the file system differ by platform. */
function watchByPolling(path: string, changed: () => void) {
  const listener = (now: { mtimeMs: number }, before: { mtimeMs: number }) => {
    if (now.mtimeMs !== before.mtimeMs) changed()
  }
  watchFile(path, { interval: pollMs, persistent: false }, listener)
  return { stop: () => unwatchFile(path, listener) }
}

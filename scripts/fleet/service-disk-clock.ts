import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import type { Fault } from '@/reference-service/faults'
import { reloads } from './killed-and-paused'
import type { Scenario } from './scenario'
import { fakeTimeLibrary } from './servers'

const TEN_MINUTES = 600

export const serviceDiskClock: Scenario[] = [
  service('the service answers 503', [{ name: 'html', status: 503 }], 8_000, 30_000),
  service('the service takes five seconds for each answer', [{ name: 'delay', ms: 5_000 }], 10_000, 30_000),
  service('the service sends half an answer', [{ name: 'truncated' }], 6_000, 30_000),
  service('the service says that there is nothing', [{ name: 'empty-list' }], 8_000, 30_000),
  {
    name: 'the service refuses the token',
    bears: [],
    freshAgainMs: 30_000,
    async run({ service: it, shared, admin }) {
      it.setFaults([{ name: 'status', status: 401 }])
      await wait(8_000)
      const faults = await reloads(shared.origin, admin, [200])
      it.setFaults([])
      if (faults.length > 0) throw new Error(faults.join('\n'))
    },
  },
  {
    name: 'the disk of the database is full',
    bears: ['busy'],
    freshAgainMs: 20_000,
    lacks: ({ disk }) => (disk === null ? 'no disk of its own can be mounted here' : null),
    async run({ disk, postgres }) {
      const ballast = join(disk ?? '', 'ballast')
      fill(ballast)
      await wait(4_000)
      await forceNewLog(postgres.url)
      await wait(6_000)
      rmSync(ballast)
      const wasFull = postgres.hasPrinted('No space left on device')
      // It ends when it cannot write its log, and begins anew by it.
      if (!postgres.isRunning()) await postgres.start()
      await wait(1_000)
      if (!wasFull) throw new Error('PostgreSQL did not notice that the disk was full.')
    },
  },
  clock('ten minutes forward', TEN_MINUTES),
  clock('ten minutes back', -TEN_MINUTES),
]

function service(name: string, faults: Fault[], lastsMs: number, freshAgainMs: number): Scenario {
  return {
    name,
    bears: [],
    freshAgainMs,
    async run({ service: it }) {
      it.setFaults(faults)
      await wait(lastsMs)
      it.setFaults([])
    },
  }
}

function clock(where: string, seconds: number): Scenario {
  return {
    name: `the clock of one instance goes ${where}, and back again`,
    bears: [],
    freshAgainMs: 12_000,
    lacks: () => (fakeTimeLibrary() === null ? 'libfaketime is missing (Debian: faketime)' : null),
    async run({ third }) {
      third.moveClock(seconds)
      await wait(8_000)
      third.moveClock(0)
      await wait(1_500)
    },
  }
}

const SEGMENTS = 40

/** Makes PostgreSQL begin new files of its log until there is no room for one, which people's writes would do in an hour. */
async function forceNewLog(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    for (let count = 0; count < SEGMENTS; count += 1) {
      await client.query('select pg_switch_wal(), pg_logical_emit_message(false, $1, $1)', ['full'])
    }
  } catch {
    // It has met the end of the disk.
  } finally {
    await client.end().catch(() => {})
  }
}

/** Until nothing more fits. */
function fill(path: string): void {
  const file = openSync(path, 'w')
  try {
    for (let size = 2 ** 20; size >= 512; size >>= 4) writeAll(file, Buffer.alloc(size, 1))
  } finally {
    closeSync(file)
  }
}

function writeAll(file: number, piece: Buffer): void {
  try {
    for (;;) writeSync(file, piece)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  }
}

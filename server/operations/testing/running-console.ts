import 'server-only'
import { once } from 'node:events'
import type { Server } from 'node:net'
import { createActivity } from '@/server/activity/activity'
import type { Connect } from '@/server/db/database'
import type { DataKeys } from '@/server/seal'
import type { Budget } from '@/server/upstream/budget'
import { openConsole } from '../console-socket'

type Running = { connect: Connect; dataDir: string; dataKeys: DataKeys; reserve?: Budget['reserve'] }

/** The console's socket of an Intag that runs on PGlite with empty lists; without `reserve` nobody asks for a place. */
export async function openRunning({ connect, dataDir, dataKeys, reserve }: Running): Promise<Server | null> {
  const limits = { perSecond: 10, perHour: 600 }
  const list = () => ({ content: null, problem: null, fetchedAt: Date.UTC(2026, 10, 23), nextAt: null })
  const server = openConsole({
    env: { dataDir, databaseUrl: null, mode: 'connected', limits },
    connect,
    dataKeys,
    activity: createActivity({ connect, now: Date.now }),
    logger: { warn: () => {} },
    feed: { askedQuestions: list, declarations: list, highSchools: list } as never,
    budget: {
      usage: () => ({ spentThisHour: 0, ...limits }),
      reserve: reserve ?? (() => Promise.reject(new Error('not asked'))),
    },
    now: Date.now,
  })
  if (server) await once(server, 'listening')
  return server
}

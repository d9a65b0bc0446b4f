import { Pool } from 'pg'
import { expect, test } from 'vitest'
import { traceWith } from '@/server/traced'
import { watchedClient } from './watched-client'

const url = process.env.TEST_DATABASE_URL

test.skipIf(!url)(
  'a query answers and fails as it did, failures are reported, and a span has no text and no parameter',
  async () => {
    const failed: unknown[] = []
    const spans: unknown[] = []
    const pool = new Pool({ connectionString: url, max: 1, Client: watchedClient((error) => failed.push(error)) })
    traceWith((name, attributes, work) => {
      spans.push([name, attributes])
      return work()
    })
    try {
      expect((await pool.query('select $1::text as name', ['Eva'])).rows).toEqual([{ name: 'Eva' }])
      expect((await pool.query({ text: 'select 1 as one from "pg_class" limit 1' })).rows).toEqual([{ one: 1 }])
      await expect(pool.query('select * from gone where name = $1', ['Eva'])).rejects.toMatchObject({ code: '42P01' })
      const client = await pool.connect()
      expect((await client.query('select 2 as two')).rows).toEqual([{ two: 2 }])
      client.release()
      expect(failed).toMatchObject([{ code: '42P01' }])
      expect(JSON.stringify(spans)).not.toContain('Eva')
      const operation = { 'db.system.name': 'postgresql', 'db.operation.name': 'SELECT' }
      expect(spans).toEqual([
        ['query', operation],
        ['query', { ...operation, 'db.collection.name': 'pg_class' }],
        ['query', { ...operation, 'db.collection.name': 'gone' }],
        ['query', operation],
      ])
    } finally {
      traceWith(null)
      await pool.end()
    }
  },
)

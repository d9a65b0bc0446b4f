import { randomBytes } from 'node:crypto'
import { Client } from 'pg'

// The address is read at once, because tests of settings empty the environment.
const server = process.env.TEST_DATABASE_URL

export type OwnDatabase = { name: string; url: string; drop: () => Promise<void> }

/** Creates a database on the server of TEST_DATABASE_URL, empty or as a copy of `template`. */
export async function createOwnDatabase(template?: string): Promise<OwnDatabase> {
  if (server === undefined) throw new Error('TEST_DATABASE_URL is not set.')
  const name = `intag_test_${randomBytes(6).toString('hex')}`
  await executeOnServer(`create database ${name}${template === undefined ? '' : ` template ${template}`}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { name, url: url.href, drop: () => executeOnServer(`drop database ${name} with (force)`) }
}

async function executeOnServer(statement: string): Promise<void> {
  const client = new Client({ connectionString: server })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

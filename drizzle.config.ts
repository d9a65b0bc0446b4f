import { defineConfig } from 'drizzle-kit'

// NODE_OPTIONS=--conditions=react-server npx drizzle-kit generate: the schema is in server-only files.
export default defineConfig({
  dialect: 'postgresql',
  schema: ['./server/db/schema.ts', './server/db/access-schema.ts'],
  out: './server/db/migrations',
})

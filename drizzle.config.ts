import { defineConfig } from 'drizzle-kit'

// NODE_OPTIONS=--conditions=react-server npx drizzle-kit generate: the schema is in server-only files.
export default defineConfig({
  dialect: 'postgresql',
  schema: ['./server/base/schema.ts', './server/base/access-schema.ts', './server/base/sharing-schema.ts'],
  out: './server/base/migrations',
})

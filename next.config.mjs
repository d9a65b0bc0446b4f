import { readdirSync } from 'node:fs'
import createNextIntlPlugin from 'next-intl/plugin'

// Set by `scripts/build.mjs`; without it, as in `next dev`, Next's own folder is used.
const { INTAG_BUILD: build, INTAG_BUILD_ID: id } = process.env

/** @type {import('next').NextConfig} */
const config = {
  ...(build && {
    distDir: build,
    // The same for the same sources, so that several instances are one app to a browser.
    generateBuildId: () => id,
    typescript: { ignoreBuildErrors: true, tsconfigPath: '.next/tsconfig.json' },
    output: 'standalone',
    outputFileTracingRoot: process.cwd(),
    // For images, which are off.
    outputFileTracingExcludes: { '*': ['node_modules/sharp/**', 'node_modules/@img/**'] },
  }),
  // Where earlier versions had it.
  redirects: async () => [{ source: '/admin/protections', destination: '/admin/users#protections', permanent: false }],
  poweredByHeader: false,
  reactStrictMode: true,
  typedRoutes: false,
  images: { unoptimized: true },
  turbopack: { resolveAlias: { '../createLucideIcon.mjs': './components/ui/lucide-icon.ts' } },
  experimental: {
    // Builds are cached by their sources already; nobody may read maps of the server's code.
    turbopackFileSystemCacheForBuild: false,
    turbopackSourceMaps: false,
    serverSourceMaps: false,
    staticGenerationRetryCount: 3,
    // Larger files compress better: 5 kB less for the inbox, a twentieth more where screens differ.
    turbopackChunking: { minChunkSize: 600_000, maxMergeChunkSize: 600_000 },
  },
  serverExternalPackages: [
    '@electric-sql/pglite',
    '@node-rs/argon2',
    'fs-native-extensions',
    'nodemailer',
    'pg',
    'pino',
    'prom-client',
  ],
}

const messages = './lib/i18n/messages'

export default createNextIntlPlugin({
  requestConfig: './app/i18n-request.ts',
  experimental: {
    // Messages are compiled while building, so the browser needs no parser for them.
    messages: { path: messages, format: 'json', precompile: true, locales: ['sv', 'en'] },
    // The Swedish ones as types (`*.d.json.ts`), so that TypeScript knows the arguments of each.
    createMessagesDeclaration: readdirSync(`${messages}/sv`)
      .filter((name) => name.endsWith('.json'))
      .map((name) => `${messages}/sv/${name}`),
  },
})(config)

import { readdirSync } from 'node:fs'
import createNextIntlPlugin from 'next-intl/plugin'

// `scripts/build.mjs` names the folder of its build; `next dev` uses Next's own.
const { INTAG_BUILD: distDir, INTAG_BUILD_ID: buildId } = process.env

/** @type {import('next').NextConfig} */
const config = {
  ...(distDir && {
    distDir,
    // The id is the same for the same sources, so that several instances are one app to a browser.
    generateBuildId: () => buildId,
    typescript: { ignoreBuildErrors: true, tsconfigPath: '.next/tsconfig.json' },
    output: 'standalone',
    outputFileTracingRoot: process.cwd(),
    // The server does not optimise images, so the packages that would are left out.
    outputFileTracingExcludes: { '*': ['node_modules/sharp/**', 'node_modules/@img/**'] },
  }),
  // The protections became a section of the page of users, to which bookmarks of earlier versions lead.
  redirects: async () => [{ source: '/admin/protections', destination: '/admin/users#protections', permanent: false }],
  poweredByHeader: false,
  reactStrictMode: true,
  images: { unoptimized: true },
  // Lucide's own function has options that nothing uses, so the first script of every page gets a smaller one.
  turbopack: { resolveAlias: { '../createLucideIcon.mjs': './components/ui/lucide-icon.ts' } },
  experimental: {
    // `scripts/build.mjs` builds the same sources once, so a cache would never be used.
    turbopackFileSystemCacheForBuild: false,
    // Source maps are left out, because they would hold the server's code.
    turbopackSourceMaps: false,
    serverSourceMaps: false,
    // On a slow machine a page may take longer than the minute that Next allows, so it is generated again.
    staticGenerationRetryCount: 3,
    // Larger chunks compress better: the inbox loads 5 kB less, and a change of screen a twentieth more.
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
    // Types of the Swedish messages (`*.d.json.ts`) tell TypeScript the arguments of each.
    createMessagesDeclaration: readdirSync(`${messages}/sv`)
      .filter((name) => name.endsWith('.json'))
      .map((name) => `${messages}/sv/${name}`),
  },
})(config)

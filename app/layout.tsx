import type { Metadata, Viewport } from 'next'
import { NextIntlClientProvider } from 'next-intl'
import { getLocale, getMessages, getTranslations } from 'next-intl/server'
import localFont from 'next/font/local'
import { cookies } from 'next/headers'
import type { ReactNode } from 'react'
import { DeferredFont } from '@/components/app/deferred-font'
import { parseTheme, THEME_COOKIE } from '@/components/app/theme'
import './globals.css'

const inter = localFont({
  src: '../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  weight: '100 900',
  variable: '--font-inter',
  declarations: [
    {
      prop: 'unicode-range',
      value:
        'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD',
    },
  ],
})

/** This font has the letters that `inter` lacks, such as Polish ones. It is loaded when one is on screen. */
const interExtended = localFont({
  src: '../node_modules/@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2',
  weight: '100 900',
  variable: '--font-inter-ext',
  preload: false,
  adjustFontFallback: false,
  declarations: [
    {
      prop: 'unicode-range',
      value:
        'U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+0304,U+0308,U+0329,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF',
    },
  ],
})

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('common')
  return {
    title: { default: t('appName'), template: `%s · ${t('appName')}` },
    description: t('tagline'),
    robots: { index: false, follow: false },
    other: { google: 'notranslate' },
    formatDetection: { telephone: false, email: false },
  }
}

export const viewport: Viewport = { width: 'device-width', initialScale: 1, viewportFit: 'cover' }

export default async function RootLayout({ children }: { children: ReactNode }) {
  const [locale, { common, errors }, store] = await Promise.all([getLocale(), getMessages(), cookies()])
  return (
    // Browsers may not translate, because they would change what people wrote, and replace texts that React updates.
    <html
      translate="no"
      lang={locale}
      data-theme={parseTheme(store.get(THEME_COOKIE)?.value)}
      className={inter.variable}
    >
      <body>
        <NextIntlClientProvider messages={{ common, errors }}>{children}</NextIntlClientProvider>
        <DeferredFont className={interExtended.variable} />
      </body>
    </html>
  )
}

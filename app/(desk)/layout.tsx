import { NextIntlClientProvider } from 'next-intl'
import { getMessages } from 'next-intl/server'
import type { ReactNode } from 'react'
import { MeProvider } from '@/components/shell/me'
import { Providers } from '@/components/shell/providers'
import { permittedScreens } from '@/components/shell/screens'
import { Shell } from '@/components/shell/shell'
import type { HighSchool } from '@/lib/contract/lead'
import { pickAreas } from '@/lib/i18n/pick-areas'
import { pageViewer, type Viewer } from '@/server/access/viewer'
import { env } from '@/server/env'
import { NotReadyError } from '@/server/errors'
import { listHighSchools } from '@/server/high-schools/list-high-schools'

export default async function DeskLayout({ children }: { children: ReactNode }) {
  const viewer = await pageViewer()
  const [messages, highSchools] = await Promise.all([getMessages(), schoolsSoFar(viewer)])
  const { name, email, role } = viewer
  return (
    <NextIntlClientProvider messages={pickAreas(messages, ['common', 'errors', 'shell', 'status', 'inbox', 'lead'])}>
      <Providers>
        <MeProvider me={{ id: viewer.id, isAdmin: viewer.permissions.has('admin') }}>
          <Shell
            account={{ name, email, role }}
            highSchools={highSchools}
            screens={permittedScreens(viewer.permissions)}
            isDemo={env().mode === 'demo'}
          >
            {children}
          </Shell>
        </MeProvider>
      </Providers>
    </NextIntlClientProvider>
  )
}

/** Before the first answer of the service there are none; the shell stands all the same. */
async function schoolsSoFar(viewer: Viewer): Promise<HighSchool[]> {
  try {
    return (await listHighSchools(viewer)).highSchools
  } catch (error) {
    if (error instanceof NotReadyError) return []
    throw error
  }
}

import { getLocale, getMessages } from 'next-intl/server'
import type { ReactNode } from 'react'
import { CurrentUserProvider } from '@/components/desk/current-user'
import { permittedScreens } from '@/components/desk/screens'
import { Words } from '@/components/desk/words'
import { Providers } from '@/components/shell/providers'
import { Shell } from '@/components/shell/shell'
import type { HighSchool } from '@/lib/contract/lead'
import { areasAsJson } from '@/lib/i18n/load-messages'
import { pageViewer } from '@/server/access/page-viewer'
import { may, type Viewer } from '@/server/access/viewer'
import { env } from '@/server/env'
import { NotReadyError } from '@/server/errors'
import { listHighSchools } from '@/server/leads/high-schools'
import { services } from '@/server/services'
import './print.css'

export default async function DeskLayout({ children }: { children: ReactNode }) {
  const viewer = await pageViewer(services())
  const [locale, messages, highSchools] = await Promise.all([getLocale(), getMessages(), schoolsOrNone(viewer)])
  const { name, email, role } = viewer
  return (
    <Words json={areasAsJson(locale, messages, ['trouble', 'shell', 'status', 'inbox', 'lead'])}>
      <Providers>
        <CurrentUserProvider user={{ id: viewer.id, name, isAdmin: may(viewer, 'admin') }}>
          <Shell
            account={{ name, email, role }}
            highSchools={highSchools}
            screens={permittedScreens(viewer.permissions)}
            isDemo={env().mode === 'demo'}
          >
            {children}
          </Shell>
        </CurrentUserProvider>
      </Providers>
    </Words>
  )
}

/** Before the first answer of the service there are none; the shell stands all the same. */
async function schoolsOrNone(viewer: Viewer): Promise<HighSchool[]> {
  if (!may(viewer, 'interest:read')) return []
  try {
    return (await listHighSchools(services(), viewer)).highSchools
  } catch (error) {
    if (error instanceof NotReadyError) return []
    throw error
  }
}

import type { ReactNode } from 'react'
import { CurrentUserProvider } from '@/components/app/current-user'
import { permittedScreens } from '@/components/app/screens'
import { type Areas, ClientMessages } from '@/components/app/client-messages'
import { menuScreens } from '@/components/shell/menu-screens'
import { Providers } from '@/components/shell/providers'
import { Shell } from '@/components/shell/shell'
import { FEED_LISTS } from '@/lib/contract/lists'
import { pageViewer } from '@/server/http/page-viewer'
import { may } from '@/server/access/viewer'
import { env } from '@/server/base/env'
import { statusNow } from '@/server/leads/feed-status'
import { services } from '@/server/base/services'
import './print.css'
import { schoolsOrNone } from './while-there'

const FRAME_AREAS: Areas = ['trouble', 'shell', 'status']

export default async function DeskLayout({ children }: { children: ReactNode }) {
  // First, so that the status covers everything the page lacks.
  const { lists } = statusNow(services())
  const missing = FEED_LISTS.filter((list) => lists[list] === null)
  const viewer = await pageViewer(services())
  const highSchools = await schoolsOrNone(viewer)
  const { name, email, role } = viewer
  return (
    <ClientMessages areas={may(viewer, 'leads:read') ? [...FRAME_AREAS, 'inbox', 'lead'] : FRAME_AREAS}>
      <Providers userId={viewer.id}>
        <CurrentUserProvider user={{ id: viewer.id, name, isAdmin: may(viewer, 'admin') }}>
          <Shell
            account={{ name, email, role }}
            highSchools={highSchools}
            screens={menuScreens(permittedScreens(viewer.permissions))}
            isDemo={env().mode === 'demo'}
            missing={missing}
          >
            {children}
          </Shell>
        </CurrentUserProvider>
      </Providers>
    </ClientMessages>
  )
}

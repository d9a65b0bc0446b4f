import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { headers } from 'next/headers'
import { notFound } from 'next/navigation'
import type { ReactNode } from 'react'
import { type MessageAreas, ClientMessages } from '@/components/app/client-messages'
import { DatabaseAwayScreen, NoAccessScreen } from '@/components/shell/trouble-screens'
import type { Permission } from '@/lib/contract/endpoint'
import type { HighSchool } from '@/lib/contract/lead'
import { requirePageSession } from '@/server/http/page-viewer'
import type { Session } from '@/server/access/session-cookie'
import { type Allowed, may, type Viewer } from '@/server/access/viewer'
import { NotFoundError, NotReadyError } from '@/server/base/errors'
import { isOutage } from '@/server/base/database-outage'
import { getServices } from '@/server/base/services'
import { listHighSchools } from '@/server/leads/high-schools'

export type PageProps = {
  params: Promise<Record<string, string>>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

type ScreenProps<V> = PageProps & { viewer: V; session: Session }

type ScreenOptions<V> = {
  title: (t: Awaited<ReturnType<typeof getTranslations<never>>>, params: Record<string, string>) => string
  areas?: MessageAreas
  /** Renders with its first data. Missing data is Next's "not found"; a database outage is shown on screen. */
  screen: (props: ScreenProps<V>) => ReactNode | Promise<ReactNode>
  notReady?: ReactNode
}

/** A page behind a permission. */
export function createDeskPage<Wanted extends Permission>({
  permission,
  path,
  ...frame: options
}: ScreenOptions<Allowed<Wanted>> & { permission: Wanted; path: string }) {
  return {
    generateMetadata: createMetadata(options),
    Page: async (props: PageProps) => {
      const { viewer, session } = await requirePageSession(getServices())
      if (may(viewer, permission)) return renderScreen(options, { ...props, viewer, session })
      if (viewer.suspendedPermissions.has(permission)) return <DatabaseAwayScreen />
      // Logged like a refused route, once an hour, but not for a prefetch.
      if (!(await headers()).has('next-router-prefetch')) getServices().logRefusal(viewer.id, 'GET', path)
      return <NoAccessScreen role={viewer.role} />
    },
  }
}

export function createSignedInPage(options: ScreenOptions<Viewer>) {
  return {
    generateMetadata: createMetadata(options),
    Page: async (props: PageProps) => renderScreen(options, { ...props, ...(await requirePageSession(getServices())) }),
  }
}

export function createMetadata({ title }: Pick<ScreenOptions<never>, 'title'>) {
  return async ({ params }: Pick<PageProps, 'params'>): Promise<Metadata> => ({
    title: title(await getTranslations(), await params),
  })
}

async function renderScreen<V>({ areas, screen, notReady }: ScreenOptions<V>, props: ScreenProps<V>) {
  try {
    const content = await screen(props)
    return areas === undefined ? content : <ClientMessages areas={areas}>{content}</ClientMessages>
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof URIError) notFound()
    if (error instanceof NotReadyError && notReady !== undefined) return notReady
    if (!isOutage(error)) throw error
    getServices().logger.warn({ err: error }, 'a page cannot be read')
    return <DatabaseAwayScreen />
  }
}

/** The list is empty before the service's first answer, so that the shell still renders. */
export async function listKnownSchools(viewer: Viewer): Promise<HighSchool[]> {
  if (!may(viewer, 'interest:read')) return []
  try {
    return (await listHighSchools(getServices(), viewer)).highSchools
  } catch (error) {
    if (error instanceof NotReadyError) return []
    throw error
  }
}

import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { headers } from 'next/headers'
import { notFound } from 'next/navigation'
import type { ReactNode } from 'react'
import { type Areas, ClientMessages } from '@/components/app/client-messages'
import { DatabaseAway, NoAccess } from '@/components/shell/no-screen'
import type { Permission } from '@/lib/contract/endpoint'
import type { HighSchool } from '@/lib/contract/lead'
import { pageSession } from '@/server/http/page-viewer'
import type { Session } from '@/server/access/session-cookie'
import { type Allowed, may, type Viewer } from '@/server/access/viewer'
import { NotFoundError, NotReadyError } from '@/server/base/errors'
import { isOutage } from '@/server/base/outage'
import { services } from '@/server/base/services'
import { listHighSchools } from '@/server/leads/high-schools'

export type PageProps = {
  params: Promise<Record<string, string>>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

type ScreenProps<Reader> = PageProps & { viewer: Reader; session: Session }

type Frame<Reader> = {
  title: (t: Awaited<ReturnType<typeof getTranslations<never>>>, params: Record<string, string>) => string
  areas?: Areas
  /** Renders with its first data. Missing data is Next's "not found"; a database outage is shown on screen. */
  screen: (props: ScreenProps<Reader>) => ReactNode | Promise<ReactNode>
  notReady?: ReactNode
}

/** A page behind a permission. */
export function deskPage<Wanted extends Permission>({
  permission,
  path,
  ...frame
}: Frame<Allowed<Wanted>> & { permission: Wanted; path: string }) {
  return {
    generateMetadata: metadataOf(frame),
    Page: async (props: PageProps) => {
      const { viewer, session } = await pageSession(services())
      if (may(viewer, permission)) return render(frame, { ...props, viewer, session })
      if (viewer.withheld.has(permission)) return <DatabaseAway />
      // Logged like a refused route, once an hour, but not for a prefetch.
      if (!(await headers()).has('next-router-prefetch')) services().refusals(viewer.id, 'GET', path)
      return <NoAccess role={viewer.role} />
    },
  }
}

export function openPage(frame: Frame<Viewer>) {
  return {
    generateMetadata: metadataOf(frame),
    Page: async (props: PageProps) => render(frame, { ...props, ...(await pageSession(services())) }),
  }
}

export function metadataOf({ title }: Pick<Frame<never>, 'title'>) {
  return async ({ params }: Pick<PageProps, 'params'>): Promise<Metadata> => ({
    title: title(await getTranslations(), await params),
  })
}

async function render<Reader>({ areas, screen, notReady }: Frame<Reader>, props: ScreenProps<Reader>) {
  try {
    const content = await screen(props)
    return areas === undefined ? content : <ClientMessages areas={areas}>{content}</ClientMessages>
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof URIError) notFound()
    if (error instanceof NotReadyError && notReady !== undefined) return notReady
    if (!isOutage(error)) throw error
    services().logger.warn({ err: error }, 'a page cannot be read')
    return <DatabaseAway />
  }
}

/** The list is empty before the service's first answer, so that the shell still renders. */
export async function schoolsOrNone(viewer: Viewer): Promise<HighSchool[]> {
  if (!may(viewer, 'interest:read')) return []
  try {
    return (await listHighSchools(services(), viewer)).highSchools
  } catch (error) {
    if (error instanceof NotReadyError) return []
    throw error
  }
}

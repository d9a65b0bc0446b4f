import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { headers } from 'next/headers'
import { notFound } from 'next/navigation'
import type { ReactNode } from 'react'
import { whileThere } from '@/app/(desk)/while-there'
import { type Areas, ClientMessages } from '@/components/app/client-messages'
import { DatabaseAway, NoAccess } from '@/components/shell/no-screen'
import type { Permission } from '@/lib/contract/endpoint'
import { pageSession } from '@/server/http/page-viewer'
import type { Session } from '@/server/access/session-cookie'
import { type Allowed, may, type Viewer } from '@/server/access/viewer'
import { withCallerAddress } from '@/server/base/request-context'
import { NotFoundError, NotReadyError } from '@/server/base/errors'
import { addressOf } from '@/server/http/front-door'
import { services } from '@/server/base/services'

export type PageProps = {
  params: Promise<Record<string, string>>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

type Asked<Reader> = PageProps & { viewer: Reader; session: Session }

type Frame<Reader> = {
  title: (t: Awaited<ReturnType<typeof getTranslations<never>>>, params: Record<string, string>) => string
  areas?: Areas
  /** Renders with its first data. Missing data is Next's "not found"; a database outage is shown on screen. */
  screen: (asked: Asked<Reader>) => ReactNode | Promise<ReactNode>
  notReady?: ReactNode
}

/** A page behind a permission. */
export function deskPage<Wanted extends Permission>(
  page: Frame<Allowed<Wanted>> & { permission: Wanted; path: string },
) {
  const { permission, path, ...frame } = page
  return {
    generateMetadata: metadataOf(frame),
    Page: async (asked: PageProps) => {
      const { viewer, session } = await pageSession(services())
      if (may(viewer, permission)) return render(frame, { ...asked, viewer, session })
      if (viewer.withheld.has(permission)) return <DatabaseAway />
      // Logged like a refused route, once an hour, but not for a prefetch.
      const sent = await headers()
      if (!sent.has('next-router-prefetch'))
        withCallerAddress(addressOf({ headers: sent }), () => services().refusals(viewer.id, 'GET', path))
      return <NoAccess role={viewer.role} />
    },
  }
}

export function openPage(frame: Frame<Viewer>) {
  return {
    generateMetadata: metadataOf(frame),
    Page: async (asked: PageProps) => render(frame, { ...asked, ...(await pageSession(services())) }),
  }
}

export function metadataOf({ title }: Pick<Frame<never>, 'title'>) {
  return async ({ params }: Pick<PageProps, 'params'>): Promise<Metadata> => ({
    title: title(await getTranslations(), await params),
  })
}

async function render<Reader>({ areas, screen, notReady }: Frame<Reader>, asked: Asked<Reader>) {
  const address = addressOf({ headers: await headers() })
  try {
    const shown = await whileThere(async () => await withCallerAddress(address, () => screen(asked)))
    if (shown === null) return <DatabaseAway />
    return areas === undefined ? shown : <ClientMessages areas={areas}>{shown}</ClientMessages>
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof URIError) notFound()
    if (error instanceof NotReadyError && notReady !== undefined) return notReady
    throw error
  }
}

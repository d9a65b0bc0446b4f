import { usePathname } from 'next/navigation'
import { useUrlState } from '@/components/browser/url-state'

/** Tells of a link whether the address is its own, whichever lead is open. */
export function useIsHere(): (href: string) => boolean {
  const pathname = usePathname()
  const { search } = useUrlState()
  const here = `${pathname}?${inOrder(search)}`
  return (href) => {
    const [path = '', query = ''] = href.split('?')
    return here === `${path}?${inOrder(new URLSearchParams(query))}`
  }
}

function inOrder(search: URLSearchParams): string {
  return [...search]
    .filter(([name]) => name !== 'lead')
    .map(([name, value]) => `${name}=${value}`)
    .toSorted()
    .join('&')
}

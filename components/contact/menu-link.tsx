import type { ReactNode } from 'react'

type MenuLinkProps = { href: string; isMenu: boolean; onSelect: () => void; lang?: string; children: ReactNode }

/** An entry of a menu that leads out of the app; outside a menu a plain link that looks the same. */
export function MenuLink({ href, isMenu, onSelect, lang, children }: MenuLinkProps) {
  return (
    <a
      href={href}
      lang={lang}
      {...(isMenu && { role: 'menuitem', tabIndex: -1 })}
      onClick={onSelect}
      className="flex min-h-8 w-full flex-col justify-center rounded-sm px-2.5 py-1.5 text-left text-sm wrap-anywhere hover:bg-hover focus:bg-hover touch:min-h-11"
    >
      {children}
    </a>
  )
}

import { z } from 'zod';
import { type Route, type RouteInput, reply, route } from '../../http/route.ts';
import type { SubjectKind } from '../../site/pages.ts';
import { createPainter } from '../../site/pictures/render.ts';
import type { Scene } from '../../site/pictures/scenes.ts';
import { createSitemap } from '../../site/sitemap.ts';
import { subjectReaderOf } from '../../site/subject-cache.ts';

const pictures: readonly [kind: SubjectKind, summary: string][] = [
  ['match', 'Picture of a public match: table, results and last board'],
  ['replay', 'Picture of a hand of a public match: table, cards and winner'],
  ['player', 'Picture of a player: the place on the leaderboard'],
  ['batch', 'Picture of a public batch: its standing'],
  ['tournament', "Picture of a tournament: its champion and the standing, also as the champion's certificate"],
];

const png = { response: 'file', contentTypes: ['image/png'] } as const;

/** Returns the routes for search engines and link previews: pictures, robots.txt and sitemap.xml. */
export function siteRoutes(publicUrl: string): Route[] {
  const origin = publicUrl.replace(/\/+$/, '');
  const painter = createPainter();
  const sitemap = createSitemap(origin);

  const sendPicture = async (scene: Scene | undefined) =>
    reply({
      body: await painter.paint(scene),
      // Caches must revalidate by ETag, because a match can become private.
      headers: { 'Content-Type': 'image/png', 'Cache-Control': 'public, no-cache' },
    });

  const pictureRoute = ([kind, summary]: (typeof pictures)[number]) =>
    route(`GET /og/${kind}/{id}.png`, {
      access: 'anyone',
      summary: `${summary}, 1200 x 630 pixels, for previews of links; the general picture if it is private or unknown`,
      params: z.object({ id: z.string().min(1).max(80) }),
      ...png,
      handle: async ({ params, context }: RouteInput<{ id: string }, unknown, unknown>) =>
        sendPicture((await subjectReaderOf(context)(kind, params.id))?.scene),
    });

  return [
    ...pictures.map(pictureRoute),
    route('GET /og/home.png', {
      access: 'anyone',
      summary: 'Picture of the ranking, 1200 x 630 pixels, for previews of links',
      ...png,
      handle: async ({ context }) => sendPicture((await subjectReaderOf(context)('home', ''))?.scene),
    }),
    route('GET /og/site.png', {
      access: 'anyone',
      summary: 'The general picture of the site, 1200 x 630 pixels, for previews of links',
      ...png,
      handle: () => sendPicture(undefined),
    }),
    route('GET /robots.txt', {
      access: 'anyone',
      summary: 'The paths that crawlers should not visit, and the address of the sitemap',
      response: 'file',
      contentTypes: ['text/plain'],
      handle: async () =>
        reply({
          body: sitemap.robots,
          headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'public, max-age=3600' },
        }),
    }),
    route('GET /sitemap.xml', {
      access: 'anyone',
      summary: "The site's public pages, newest public matches first",
      response: 'file',
      contentTypes: ['application/xml'],
      handle: async ({ context }) =>
        reply({
          body: await sitemap.read(context),
          headers: { 'Content-Type': 'application/xml; charset=utf-8', 'Cache-Control': 'public, max-age=600' },
        }),
    }),
  ];
}

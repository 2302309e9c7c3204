/** What the console has, in the order of its sections. */
export const sections = [
  {
    name: 'Watch',
    pages: [
      { name: 'Overview', to: '/' },
      { name: 'Alerts', to: '/alerts' },
      { name: 'Requests', to: '/requests' },
    ],
  },
] as const;

// The packages of Node say in words for which machines they are, where a list is asked for: without this all of them would be
// installed everywhere.
module.exports = {
  hooks: {
    readPackage(found) {
      if (/^node-(bin-)?(darwin|linux|win)-/.test(found.name)) {
        found.os = [found.os].flat();
        found.cpu = [found.cpu].flat();
      }
      return found;
    },
  },
};
